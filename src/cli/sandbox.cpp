// `payonce sandbox`: the bank that misbehaves on purpose.
#include "sandbox/run_sandbox.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"

namespace payonce {

void add_sandbox(CLI::App& program, Chosen& chosen) {
  auto const options = std::make_shared<SandboxOptions>();
  options->port = 8090;
  CLI::App* const command = program.add_subcommand("sandbox", "Run the sandbox bank; see docs/reference/sandbox.md");
  command->add_option("--address", options->address, "Address to listen on");
  command->add_option("--port", options->port, "Port; 0 takes a free one");
  command->add_option("--data", options->data_path, "Ledger file; without it nothing outlives the process");
  command->add_option("--notify", options->notify_url,
                      "Where notices go, e.g. http://127.0.0.1:8080/v1/notices/sandbox");
  command->add_option("--return-url", options->return_url, "Where the buyer's page leads back to");
  command->add_option("--api-secret", options->api_secret, "What callers must send as Bearer token");
  command->add_option("--notice-secret", options->notice_secret, "What notices are signed with");
  command->add_option("--account", options->account, "The merchant account that notices name");
  command->add_option(
      "--keys", options->keys_path,
      "Folder of keys, made if absent: with it the sandbox also speaks as Stripe, Alipay, WeChat Pay and PayPal");
  command->add_option("--notify-stripe", options->stripe_notify_url, "Where events in Stripe's dialect go");
  command->add_option("--notify-paypal", options->paypal_notify_url, "Where webhooks in PayPal's dialect go");
  command->add_flag("--buyers-pay", options->buyers_pay, "Buyers who have to pay on the provider's page do so at once");
  command->add_flag("--forgetful", options->forgetful, "Charge again when a number is repeated");
  command->add_option("--seed", options->seed, "Seed of faults by rate");
  command->callback([options, &chosen] { chosen = [options] { return run_sandbox(*options); }; });
}

}  // namespace payonce
