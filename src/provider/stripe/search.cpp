#include "provider/stripe/search.h"

#include <boost/json.hpp>

#include "provider/answers.h"
#include "provider/json_fields.h"
#include "provider/stripe/classify.h"

namespace payonce::stripe {

namespace {

namespace json = boost::json;

// A thousand objects. Beyond that a person with Stripe's own tools is quicker.
constexpr int pages_max = 10;
constexpr std::size_t page_bytes_max = 4 * 1024 * 1024;

class Pages : public std::enable_shared_from_this<Pages> {
 public:
  Pages(Requests const& requests, Search wanted, Found found)
      : requests_(requests), wanted_(std::move(wanted)), found_(std::move(found)) {}

  void next(std::shared_ptr<Errand> const& errand, std::string const& after) {
    HttpCall page = requests_.get(wanted_.path + "&limit=100" + (after.empty() ? "" : "&starting_after=" + after));
    page.answer_bytes_max = page_bytes_max;
    errand->send(std::move(page), [self = shared_from_this()](std::shared_ptr<Errand> same, HttpAnswer const& answer) {
      self->read(std::move(same), answer);
    });
  }

 private:
  void read(std::shared_ptr<Errand> errand, HttpAnswer const& answer) {
    if (auto none = unanswered(answer)) return found_(std::move(errand), std::nullopt, std::move(*none));
    auto const list = answer.status == 200 ? parse_object(answer.body) : std::nullopt;
    auto const* data = list ? list->if_contains("data") : nullptr;
    auto const* has_more = list ? list->if_contains("has_more") : nullptr;
    if (!data || !data->is_array() || !has_more || !has_more->is_bool())
      return found_(std::move(errand), std::nullopt, in_doubt("http_" + std::to_string(answer.status), answer));

    std::string last;
    for (json::value const& one : data->get_array()) {
      if (!one.is_object()) continue;
      last = text_at(one.get_object(), "id");
      if (metadata_at(one.get_object(), wanted_.metadata_key) == wanted_.number)
        return found_(std::move(errand), one.get_object(), {});
    }
    if (!has_more->get_bool() || last.empty()) return found_(std::move(errand), std::nullopt, absent());
    if (++pages_read_ == pages_max) {
      Answer doubt;
      doubt.code = "list_too_long";
      doubt.text = "the number is not among the newest " + std::to_string(pages_max * 100) + " of " + wanted_.path;
      return found_(std::move(errand), std::nullopt, std::move(doubt));
    }
    next(errand, last);
  }

  Answer absent() const {
    Answer answer;
    answer.outcome = Outcome::not_found;
    answer.code = "not_in_list";
    answer.text = wanted_.path + " holds nothing with our number";
    return answer;
  }

  Requests const& requests_;
  Search const wanted_;
  Found found_;
  int pages_read_ = 0;
};

}  // namespace

void search(Requests const& requests, std::shared_ptr<Errand> errand, Search wanted, Found found) {
  std::make_shared<Pages>(requests, std::move(wanted), std::move(found))->next(errand, {});
}

}  // namespace payonce::stripe
