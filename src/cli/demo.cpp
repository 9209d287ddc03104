// `payonce demo`: bank, service and a shop on one machine, with lines to paste.
#include <fmt/format.h>

#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "base/crypto.h"
#include "base/id.h"
#include "base/log.h"
#include "cli/commands.h"
#include "cli/key_store.h"
#include "net/http_server.h"
#include "process/own_server.h"

namespace payonce {

namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr std::string_view merchant = "demo";

struct DemoOptions {
  std::string data = "payonce-data";
  std::string shop;  // the program of a shop with pages; empty: one that only takes effects and says so
  int port = 8080;
  int sandbox_port = 8090;
  int shop_port = 8091;
};

// Written at the first start only, so that a user may change it.
constexpr std::string_view config_template =
    R"(# The demo's configuration; change it and start again. See docs/reference/configuration.md.
[server]
port = {port}

[database]
url = "sqlite:{data}/payonce.db"

[log]
level = "warn"

[checkout]
url = "http://127.0.0.1:{port}"
secrets = ["file:{data}/checkout-secret"]

[[provider]]
name = "sandbox"
kind = "sandbox"
url = "http://127.0.0.1:{sandbox_port}"
account = "sandbox-account"
notice_secrets = ["{notice_secret}"]
# Short, so that whoever watches has not to wait.
call_timeout_ms = 4000

[[merchant]]
id = "demo"
providers = ["sandbox"]

[[merchant.method]]
provider = "sandbox"
name = "Card"
name_zh = "银行卡"

[[merchant.method]]
provider = "sandbox"
method = "approve"
name = "Wallet"
name_zh = "手机钱包"
action = "qr"

[[merchant.effect]]
name = "ship"
url = "http://127.0.0.1:{shop_port}/ship"
secrets = ["file:{data}/effect-secret"]

[[merchant.effect]]
name = "points"
url = "http://127.0.0.1:{shop_port}/points"
secrets = ["file:{data}/effect-secret"]

[[merchant.effect]]
name = "coupon"
url = "http://127.0.0.1:{shop_port}/coupon"
secrets = ["file:{data}/effect-secret"]
)";

void write_private(fs::path const& path, std::string const& text) {
  std::ofstream{path} << text;
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
}

std::string read_line(fs::path const& path) {
  std::string line;
  std::ifstream file{path};
  std::getline(file, line);
  return line;
}

// A secret of the demo's; made at the first start.
std::string kept_secret(fs::path const& path, std::string const& secret) {
  if (!fs::exists(path)) write_private(path, secret + "\n");
  return read_line(path);
}

// The database is opened here first, so that one of another payonce is told of before anything is started on it.
Result<std::string> kept_api_key(std::string const& folder) {
  fs::path const path = fs::path{folder} / "api-key";
  fs::path const database = fs::path{folder} / "payonce.db";
  bool const is_kept = fs::exists(path) && fs::exists(database);
  auto const store = open_migrated_store("sqlite:" + database.string());
  if (!store)
    return fail(store.error().code,
                fmt::format("{}.\nWhat the demo keeps in {}/ is no real money. Start afresh beside it with "
                            "--data NEW-FOLDER, or move it away with: mv {} {}.old",
                            store.error().detail, folder, folder, folder));
  if (is_kept) return read_line(path);
  auto secret = create_api_key(**store, MerchantId{merchant}, "demo");
  if (secret) write_private(path, *secret + "\n");
  return secret;
}

void write_config(DemoOptions const& options, std::string const& notice_secret) {
  fs::path const path = fs::path{options.data} / "payonce.toml";
  if (fs::exists(path)) return;
  write_private(path, fmt::format(config_template, fmt::arg("port", options.port), fmt::arg("data", options.data),
                                  fmt::arg("sandbox_port", options.sandbox_port),
                                  fmt::arg("shop_port", options.shop_port), fmt::arg("notice_secret", notice_secret)));
}

// The end of a shop where effects arrive: takes each and says so.
HttpHandler listening_shop() {
  return [](HttpRequest const& request, Respond respond) {
    std::cout << fmt::format("shop    {}: {}\n", request.target.substr(1), request.header("webhook-id").value_or("?"))
              << std::flush;
    respond(HttpResponse{});
  };
}

void print_welcome(DemoOptions const& options, std::string const& key, Random& random) {
  std::string const order = "demo-" + mint_suffix(SystemClock{}.now(), random).substr(5, 8);
  std::string const base = fmt::format("http://127.0.0.1:{}", options.port);
  std::string const shop =
      options.shop.empty()
          ? std::string{}
          : fmt::format("\nOpen the shop http://127.0.0.1:{0}  and its fault bench http://127.0.0.1:{0}/bench\n",
                        options.shop_port);
  std::string const headers = fmt::format("-H 'Authorization: Bearer {}' -H 'Content-Type: application/json'", key);
  std::cout << fmt::format(R"(
payonce {base}   sandbox bank http://127.0.0.1:{bank}   data in {data}/
{shop}
Register an order, pay it, ask for it (paste them; repeat the second as often as you like, it charges once):

curl -X PUT {base}/v1/orders/{order} {headers} -d '{{"amount":1999,"currency":"CNY"}}'

curl -X POST {base}/v1/payments {headers} -H 'Idempotency-Key: {order}-1' -d '{{"order_id":"{order}"}}'

curl {base}/v1/orders/{order} {headers}

Ctrl-C stops everything; the data stays.
)",
                           fmt::arg("base", base), fmt::arg("bank", options.sandbox_port),
                           fmt::arg("data", options.data), fmt::arg("order", order), fmt::arg("headers", headers),
                           fmt::arg("shop", shop))
            << std::flush;
}

// Until Ctrl-C, or until a child ends by itself: then there is nothing left to show.
int watch(AsioLoop& loop, ChildProcess& bank, ChildProcess& service, ChildProcess* shop) {
  int status = 0;
  std::function<void()> look = [&] {
    std::string_view const ended = !bank.is_running()            ? "sandbox bank"
                                   : !service.is_running()       ? "service"
                                   : shop && !shop->is_running() ? "shop"
                                                                 : "";
    if (ended.empty()) return static_cast<void>(loop.after(200ms, look));
    std::cerr << "payonce: the " << ended << " ended; stopping the demo\n";
    status = 1;
    loop.stop();
  };
  look();
  loop.on_signals({SIGINT, SIGTERM}, [&](int) { loop.stop(); });
  loop.run();
  // The service first, so that the bank is still there for what is in flight.
  service.stop(25s);
  bank.stop(5s);
  if (shop) shop->stop(5s);
  std::cout << "\nstopped; the data stays\n";
  return status;
}

// A shop with pages, told by its environment where everything is.
Result<ChildProcess> start_shop(DemoOptions const& options, std::string const& key, std::string const& effect_secret) {
  for (auto const& [name, value] : std::initializer_list<std::pair<char const*, std::string>>{
           {"SHOP_PORT", std::to_string(options.shop_port)},
           {"SHOP_DATA", options.data},
           {"PAYONCE_URL", fmt::format("http://127.0.0.1:{}", options.port)},
           {"PAYONCE_KEY", key},
           {"BANK_URL", fmt::format("http://127.0.0.1:{}", options.sandbox_port)},
           {"EFFECT_SECRETS", effect_secret}})
    ::setenv(name, value.c_str(), 1);
  auto shop = ChildProcess::start({"/usr/bin/env", "node", options.shop}, {});
  if (shop && !shop->wait_for_line("shop on http://", 20s))
    return fail(ErrorCode::unavailable, "the shop did not start; its message is above");
  return shop;
}

int demo(DemoOptions const& options) {
  fs::path const data = options.data;
  std::error_code error;
  fs::create_directories(data, error);
  if (error)
    return complain(
        {ErrorCode::unavailable, fmt::format("can't make the folder {}: {}", options.data, error.message())});
  SystemRandom random;
  auto const minted = [&random] { return mint_suffix(SystemClock{}.now(), random); };
  std::string const notice_secret = kept_secret(data / "notice-secret", minted());
  std::string const effect_secret = kept_secret(data / "effect-secret", "whsec_" + base64_encode(minted() + "......"));
  kept_secret(data / "checkout-secret", minted() + minted());
  write_config(options, notice_secret);
  auto const key = kept_api_key(options.data);
  if (!key) return complain(key.error());

  AsioLoop loop;
  auto bank = start_own_server({"sandbox", "--port", std::to_string(options.sandbox_port), "--data",
                                (data / "sandbox-ledger.jsonl").string(), "--notice-secret", notice_secret, "--notify",
                                fmt::format("http://127.0.0.1:{}/v1/notices/sandbox", options.port), "--return-url",
                                fmt::format("http://127.0.0.1:{}/checkout/return", options.port)},
                               {});
  if (!bank) return complain(bank.error());
  auto service = start_own_server(
      {"serve", "--config", (data / "payonce.toml").string(), "--port", std::to_string(options.port)}, {});
  if (!service) return complain(service.error());
  if (!options.shop.empty()) {
    auto shop = start_shop(options, *key, effect_secret);
    if (!shop) return complain(shop.error());
    print_welcome(options, *key, random);
    return watch(loop, bank->process, service->process, &*shop);
  }
  HttpServerOptions shop_options;
  shop_options.port = static_cast<std::uint16_t>(options.shop_port);
  auto const shop = HttpServer::listen(loop, shop_options, listening_shop());
  if (!shop) return complain(shop.error());
  print_welcome(options, *key, random);
  return watch(loop, bank->process, service->process, nullptr);
}

}  // namespace

void add_demo(CLI::App& program, Chosen& chosen) {
  auto const options = std::make_shared<DemoOptions>();
  CLI::App* const command = program.add_subcommand("demo", "Run bank, service and a shop on this machine");
  command->add_option("--data", options->data, "Folder for database, ledger and keys");
  command
      ->add_option("--shop", options->shop, "Program of a shop with pages, for node; without it one that only listens")
      ->check(CLI::ExistingFile);
  command->add_option("--port", options->port, "Port of the service")->check(CLI::Range(1, 65535));
  command->add_option("--sandbox-port", options->sandbox_port, "Port of the sandbox bank")->check(CLI::Range(1, 65535));
  command->add_option("--shop-port", options->shop_port, "Port on which the effects arrive")
      ->check(CLI::Range(1, 65535));
  command->callback([options, &chosen] { chosen = [options] { return demo(*options); }; });
}

}  // namespace payonce
