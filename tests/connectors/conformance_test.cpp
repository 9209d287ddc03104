// The same faults and the same expectations for every connector. A new connector passes this suite with a specimen
// (specimen.h) of its provider; docs/guides/add-a-provider.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "connectors/bench.h"
#include "net/url.h"
#include "payment/call_kind.h"

namespace payonce::test {
namespace {

using testing::HasSubstr;
using testing::Not;

using SpecimenPtr = std::shared_ptr<Specimen const>;

class Conformance : public testing::TestWithParam<SpecimenPtr> {
 protected:
  Specimen const& specimen = *GetParam();
  ConnectorBench bench{specimen};
  // All calls that it offers, and those of them whose request is stored before it is sent.
  std::vector<CallKind> const all_calls = bench.calls();
  bool const holds = bench.provider().terms().captures_max > 0;
  std::vector<CallKind> const changes = holds ? std::vector{CallKind::create, CallKind::refund, CallKind::capture}
                                              : std::vector{CallKind::create, CallKind::refund};

  Answer said(Standing standing, CallKind kind) { return said(standing, bench.call_of(kind)); }
  Answer said(Standing standing, ProviderCall const& call) {
    bench.script.push_back({.response = specimen.answer(standing, call, bench.clock.now())});
    return bench.make(call);
  }
};

// Whether the request holds the stored bytes: as its body, or as one value of a form.
bool carries(HttpRequest const& request, std::string_view stored) {
  if (request.body == stored) return true;
  auto const form = parse_target("/?" + request.body);
  return form && std::ranges::any_of(form->query, [&](auto const& field) { return field.second == stored; });
}

std::string stored_request(ProviderCall const& call) {
  if (call.capture) return call.capture->request;
  return call.refund ? call.refund->request : call.attempt.request;
}
std::string number_of(ProviderCall const& call) {
  if (call.capture) return call.capture->id.value;
  return call.refund ? call.refund->id.value : call.attempt.id.value;
}

bool is_open(Outcome outcome) { return outcome == Outcome::pending || outcome == Outcome::requires_action; }

TEST_P(Conformance, WhatBreaksOnTheWayIsInDoubt) {
  for (CallKind const kind : all_calls) {
    ProviderCall const call = bench.call_of(kind);
    HttpResponse const paid = specimen.answer(Standing::paid, call, bench.clock.now());
    HttpResponse reset{.drop = true};
    HttpResponse cut = paid;
    cut.drop = true;
    cut.drop_after_bytes = 40;
    HttpResponse error = paid;
    error.status = 500;
    for (HttpResponse const& fault :
         {reset, cut, error, HttpResponse{.status = 502, .body = "<html>Bad Gateway</html>"},
          HttpResponse{.status = 503}, HttpResponse{.status = 404, .body = "not here"}, HttpResponse{.status = 200},
          HttpResponse{.status = 200, .body = "{}"}, HttpResponse{.status = 200, .body = "[]"},
          HttpResponse{.status = 200, .body = R"({"status":"succeeded"})"},
          HttpResponse{.status = 302, .headers = {{"Location", "/elsewhere"}}, .body = paid.body}}) {
      bench.script = {{.response = fault}};
      Answer const answer = bench.make(call);
      EXPECT_EQ(answer.outcome, Outcome::in_doubt) << to_text(kind) << " " << fault.status << " " << fault.body;
      EXPECT_NE(answer.code, "") << "the books say why";
    }
  }
}

TEST_P(Conformance, SilenceIsInDoubtWithinTheCallsTime) {
  ConnectorBench slow{specimen, [](ProviderSettings& settings) { settings.call_timeout = 300ms; }};
  slow.script = {{.is_silent = true}};
  EXPECT_EQ(slow.make(slow.call_of(CallKind::create)).outcome, Outcome::in_doubt);
}

TEST_P(Conformance, WhatNeverLeftIsNotSent) {
  ConnectorBench nowhere{specimen, [](ProviderSettings& settings) { settings.url = "http://127.0.0.1:1"; }};
  for (CallKind const kind : all_calls)
    EXPECT_EQ(nowhere.make(nowhere.call_of(kind)).outcome, Outcome::not_sent) << to_text(kind);
}

TEST_P(Conformance, EveryStandingIsRead) {
  EXPECT_TRUE(is_open(said(Standing::open, CallKind::create).outcome));
  Answer const paid = said(Standing::paid, CallKind::query);
  EXPECT_EQ(paid.outcome, Outcome::succeeded);
  EXPECT_EQ(paid.amount, (Money{1999, Currency::of(specimen.currency())}));
  EXPECT_EQ(paid.misfit, "");
  EXPECT_NE(paid.text, "") << "what the books rest on";
  EXPECT_TRUE(is_open(said(Standing::open, CallKind::query).outcome));
  EXPECT_EQ(said(Standing::closed, CallKind::query).outcome, Outcome::declined);
  EXPECT_NE(said(Standing::paid, CallKind::close).outcome, Outcome::declined) << "already paid wins";
  EXPECT_EQ(said(Standing::paid, CallKind::query_refund).outcome, Outcome::succeeded);
  Outcome const refunded = said(Standing::paid, CallKind::refund).outcome;
  EXPECT_TRUE(refunded == Outcome::succeeded || refunded == Outcome::pending);
}

TEST_P(Conformance, AClosingThatIsProofSaysSo) {
  Outcome const closed = said(Standing::closed, CallKind::close).outcome;
  if (bench.provider().terms().close_is_proof) {
    EXPECT_EQ(closed, Outcome::declined);
  }
}

// One that holds no money says so in its table, and is never asked for a capture.
TEST_P(Conformance, AHoldAndItsCaptureAreRead) {
  Currency const currency = Currency::of(specimen.currency());
  EXPECT_EQ(holds, bool{bench.provider().terms().write_capture});
  if (!holds) {
    for (CallKind const kind : {CallKind::capture, CallKind::query_capture}) {
      ProviderCall call = bench.call_of(CallKind::query);
      call.kind = kind;
      EXPECT_EQ(bench.make(call).outcome, Outcome::not_sent);
    }
    return;
  }
  Answer const held = said(Standing::held, CallKind::query);
  EXPECT_EQ(held.outcome, Outcome::authorized);
  EXPECT_EQ(held.amount, (Money{1999, currency}));
  Answer const captured = said(Standing::captured, CallKind::query);
  EXPECT_EQ(captured.outcome, Outcome::succeeded) << "the rest was let go";
  EXPECT_EQ(captured.amount, (Money{captured_minor, currency}));
  for (CallKind const kind : {CallKind::capture, CallKind::query_capture}) {
    Answer const taken = said(Standing::paid, kind);
    EXPECT_EQ(taken.outcome, Outcome::succeeded) << to_text(kind);
    EXPECT_EQ(taken.amount, (Money{captured_minor, currency})) << to_text(kind);
    EXPECT_EQ(taken.misfit, "") << to_text(kind);
  }
  EXPECT_EQ(said(Standing::absent, CallKind::query_capture).outcome, Outcome::not_found) << "to be sent again";
  EXPECT_TRUE(bench.provider().terms().close_is_proof) << "a hold can be given up";
  EXPECT_GT(bench.provider().terms().hold_life, 0ms);
}

TEST_P(Conformance, ARefusedRequestProvesNothingAboutAnEarlierOne) {
  for (CallKind const kind : changes) {
    ProviderCall call = bench.call_of(kind);
    EXPECT_EQ(said(Standing::not_taken, call).outcome, Outcome::declined) << to_text(kind);
    call.first_create = false;
    if (call.refund) call.refund->tries = 1;
    if (call.capture) call.capture->tries = 1;
    EXPECT_EQ(said(Standing::not_taken, call).outcome, Outcome::in_doubt) << to_text(kind);
  }
  for (CallKind const kind : all_calls)
    if (std::ranges::find(changes, kind) == changes.end()) {
      EXPECT_EQ(said(Standing::not_taken, kind).outcome, Outcome::in_doubt) << to_text(kind);
    }
}

TEST_P(Conformance, AnAnswerAboutAnotherNumberProvesNothing) {
  for (CallKind const kind : all_calls) {
    if (kind == CallKind::close || !specimen.names_number(kind)) continue;
    Answer const answer = said(Standing::other_number, kind);
    EXPECT_TRUE(answer.outcome == Outcome::in_doubt || !answer.misfit.empty()) << to_text(kind);
  }
}

TEST_P(Conformance, OnlyAQuestionFindsNothing) {
  for (CallKind const kind : changes)
    EXPECT_NE(said(Standing::absent, kind).outcome, Outcome::not_found) << to_text(kind);
}

TEST_P(Conformance, TheStoredRequestIsSentUnchangedAndWrittenTheSameTwice) {
  for (CallKind const kind : changes) {
    ProviderCall const call = bench.call_of(kind);
    std::string const stored = stored_request(call);
    EXPECT_EQ(stored, stored_request(bench.call_of(kind)));
    EXPECT_THAT(stored, HasSubstr(number_of(call)));
    for (int i = 0; i < 2; ++i) {
      bench.requests.clear();
      bench.clock.at += 7min;
      bench.make(call);
      ASSERT_FALSE(bench.requests.empty());
      for (HttpRequest const& sent : bench.requests) EXPECT_TRUE(carries(sent, stored)) << sent.body;
    }
  }
}

// Libcurl would send it again by itself, on a new connection, since the kept one was closed before an answer began.
TEST_P(Conformance, AConnectionThatDiesUnderARequestSendsNothingAgain) {
  for (CallKind const kind : changes) {
    said(Standing::paid, CallKind::query);  // opens the connection that is kept
    bench.requests.clear();
    bench.script = {{.response = {.drop = true}}};
    EXPECT_EQ(bench.make(bench.call_of(kind)).outcome, Outcome::in_doubt) << to_text(kind);
    EXPECT_EQ(bench.requests.size(), 1U) << to_text(kind);
  }
}

TEST_P(Conformance, ARequestedPauseIsKept) {
  HttpResponse wait{.status = 429, .headers = {{"Retry-After", "30"}}, .body = "{}"};
  bench.script = {{.response = wait}};
  EXPECT_EQ(bench.make(bench.call_of(CallKind::query)).outcome, Outcome::in_doubt);
  bench.requests.clear();
  EXPECT_EQ(bench.make(bench.call_of(CallKind::query)).outcome, Outcome::not_sent);
  EXPECT_TRUE(bench.requests.empty());
}

TEST_P(Conformance, AnOpenBreakerSendsNothing) {
  ConnectorBench sick{specimen, [](ProviderSettings& settings) { settings.breaker_failures = 3; }};
  for (int i = 0; i < 3; ++i) {
    sick.script = {{.response = {.status = 503}}};
    EXPECT_EQ(sick.make(sick.call_of(CallKind::create)).outcome, Outcome::in_doubt);
  }
  sick.requests.clear();
  EXPECT_EQ(sick.health().breaker, BreakerState::open);
  for (CallKind const kind : all_calls) EXPECT_EQ(sick.make(sick.call_of(kind)).outcome, Outcome::not_sent);
  EXPECT_TRUE(sick.requests.empty());
}

TEST_P(Conformance, AGenuineNoticeIsRead) {
  ProviderCall const call = bench.call_of(CallKind::query);
  auto const notice =
      bench.provider().read_notice(specimen.notice(Standing::paid, call, bench.clock.now()), bench.clock.now());
  ASSERT_TRUE(notice) << notice.error().detail;
  EXPECT_EQ(notice->number, call.attempt.id.value);
  EXPECT_EQ(notice->refund_number, "");
  EXPECT_NE(notice->event_id, "");
  EXPECT_EQ(notice->answer.outcome, Outcome::succeeded);
  EXPECT_EQ(notice->answer.amount, call.attempt.amount);
  EXPECT_EQ(notice->answer.misfit, "");
}

TEST_P(Conformance, ATamperedNoticeIsRefused) {
  HttpRequest const genuine = specimen.notice(Standing::paid, bench.call_of(CallKind::query), bench.clock.now());
  auto const code = [&](HttpRequest const& request) {
    auto const notice = bench.provider().read_notice(request, bench.clock.now());
    return notice ? std::optional<ErrorCode>{} : std::optional{notice.error().code};
  };
  for (std::size_t at = 0; at < genuine.body.size(); at += 1 + genuine.body.size() / 40) {
    HttpRequest tampered = genuine;
    tampered.body[at] = static_cast<char>(tampered.body[at] ^ 1);
    EXPECT_TRUE(code(tampered)) << at;
  }
  HttpRequest bare = genuine;
  bare.headers.clear();
  bare.body = "a=1";
  EXPECT_EQ(code(bare), ErrorCode::signature_invalid);
  HttpRequest longer = genuine;
  longer.body += " ";
  EXPECT_TRUE(code(longer));
}

TEST_P(Conformance, NoticesAreAcknowledgedInTheProvidersOwnForm) {
  HttpResponse const wanted = specimen.acknowledgement();
  HttpResponse const good = bench.provider().acknowledge(true);
  EXPECT_EQ(good.status, wanted.status);
  EXPECT_EQ(good.body, wanted.body);
  HttpResponse const bad = bench.provider().acknowledge(false);
  EXPECT_TRUE(bad.status >= 400 || bad.body != wanted.body) << "must be sent again";
}

TEST_P(Conformance, SecretsStandInNoRecord) {
  for (CallKind const kind : all_calls)
    for (Standing const standing : {Standing::open, Standing::paid, Standing::not_taken, Standing::closed}) {
      ProviderCall const call = bench.call_of(kind);
      Answer const answer = said(standing, call);
      for (std::string const& secret : specimen.secrets()) {
        EXPECT_THAT(answer.text, Not(HasSubstr(secret)));
        EXPECT_THAT(answer.code, Not(HasSubstr(secret)));
        EXPECT_THAT(call.attempt.request, Not(HasSubstr(secret)));
      }
    }
}

TEST_P(Conformance, TheTableOfCapabilitiesIsWhole) {
  ProviderTerms const& terms = bench.provider().terms();
  EXPECT_EQ(terms.name, "it");
  EXPECT_GT(terms.call_timeout, 0ms);
  EXPECT_GT(terms.attempt_life, 0ms);
  EXPECT_GT(terms.retry_first, 0ms);
  EXPECT_GE(terms.retry_longest, terms.retry_first);
  EXPECT_GT(terms.unknown_alarm_after, 0ms);
  EXPECT_TRUE(terms.write_create && terms.write_refund);
  if (terms.create_is_idempotent) {
    EXPECT_GT(terms.key_window / 2, terms.request_life);
  }
  EXPECT_EQ(terms.refuses({1999, Currency::of(specimen.currency())}), "");
  EXPECT_NE(terms.refuses({1, Currency::of("CLF")}), "") << "four decimals are nobody's";
}

INSTANTIATE_TEST_SUITE_P(Connectors, Conformance, testing::ValuesIn(specimens()),
                         [](auto const& info) { return info.param->kind(); });

}  // namespace
}  // namespace payonce::test
