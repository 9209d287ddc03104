#include "cli/logging.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace payonce {

namespace {

// The message with everything escaped that could end a line or a JSON text.
class EscapedMessage final : public spdlog::custom_flag_formatter {
 public:
  void format(spdlog::details::log_msg const& message, std::tm const&, spdlog::memory_buf_t& out) override {
    for (char const c : message.payload) append(out, c);
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<EscapedMessage>(); }

 private:
  static void append(spdlog::memory_buf_t& out, char c) {
    auto const byte = static_cast<unsigned char>(c);
    bool const is_control = byte < 0x20 || byte == 0x7f;
    if (is_control)
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", unsigned{byte});
    else if (c == '"' || c == '\\')
      fmt::format_to(std::back_inserter(out), "\\{}", c);
    else
      out.push_back(c);
  }
};

}  // namespace

void start_logging(Settings::Log const& settings) {
  auto logger = std::make_shared<spdlog::logger>("payonce", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  auto formatter = std::make_unique<spdlog::pattern_formatter>(spdlog::pattern_time_type::utc);
  formatter->add_flag<EscapedMessage>('*');
  formatter->set_pattern(settings.format == "json" ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","message":"%*"})"
                                                   : "%Y-%m-%dT%H:%M:%S.%eZ %-5l %*");
  logger->set_formatter(std::move(formatter));
  logger->set_level(spdlog::level::from_str(settings.level));
  logger->flush_on(spdlog::level::warn);
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace payonce
