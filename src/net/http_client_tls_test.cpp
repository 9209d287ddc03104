// Whom the client believes: certificates are verified, and a peer that fails has seen no byte of the request.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include "net/asio_loop.h"
#include "net/http_client.h"
#include "net/raw_socket_test.h"

namespace payonce {
namespace {

template <auto Free>
struct Freeing {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freeing<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freeing<X509_free>>;
using TlsContext = std::unique_ptr<SSL_CTX, Freeing<SSL_CTX_free>>;
using Tls = std::unique_ptr<SSL, Freeing<SSL_free>>;

// Signed by itself, valid for `name` only ("IP:127.0.0.1", "DNS:…").
Certificate make_certificate(EVP_PKEY* key, char const* name) {
  Certificate certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3'600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3'600);
  X509_set_pubkey(certificate.get(), key);
  auto* const subject = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<unsigned char const*>("test"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), subject);
  X509_EXTENSION* const names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, name);
  X509_add_ext(certificate.get(), names, -1);
  X509_EXTENSION_free(names);
  X509_sign(certificate.get(), key, EVP_sha256());
  return certificate;
}

// Answers one connection, if its handshake succeeds, in a thread of its own.
class TlsPeer {
 public:
  explicit TlsPeer(char const* name)
      : ca_file((std::filesystem::path(testing::TempDir()) / ("payonce-tls-" + std::to_string(::getpid()) + ".pem"))
                    .string()),
        key_(EVP_EC_gen("P-256")),
        certificate_(make_certificate(key_.get(), name)),
        context_(SSL_CTX_new(TLS_server_method())) {
    SSL_CTX_use_certificate(context_.get(), certificate_.get());
    SSL_CTX_use_PrivateKey(context_.get(), key_.get());
    std::FILE* const file = std::fopen(ca_file.c_str(), "w");
    PEM_write_X509(file, certificate_.get());
    std::fclose(file);
    thread_ = std::thread([this] { serve(); });
  }
  ~TlsPeer() {
    if (thread_.joinable()) thread_.join();
    std::filesystem::remove(ca_file);
  }

  std::string url() const { return "https://127.0.0.1:" + std::to_string(listener_.port()) + "/charges"; }

  std::string const ca_file;
  // What came through the handshake.
  std::string wait_and_tell_seen() {
    thread_.join();
    return seen_;
  }

 private:
  void serve() {
    // A client that refuses us closes while we may still be writing.
    sigset_t pipe_signal;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, nullptr);
    int const peer = listener_.accept();
    Tls const tls(SSL_new(context_.get()));
    SSL_set_fd(tls.get(), peer);
    if (SSL_accept(tls.get()) == 1) {
      char bytes[4096];
      if (int const got = SSL_read(tls.get(), bytes, sizeof bytes); got > 0) seen_.assign(bytes, std::size_t(got));
      std::string_view const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
      if (!seen_.empty()) SSL_write(tls.get(), answer.data(), int(answer.size()));
    }
    ::close(peer);
  }

  RawListener listener_;
  Key key_;
  Certificate certificate_;
  TlsContext context_;
  std::string seen_;  // the thread's, until it is joined
  std::thread thread_;
};

HttpAnswer call(TlsPeer const& peer, std::string const& ca_file) {
  ::setenv("no_proxy", "127.0.0.1", 1);
  AsioLoop loop;
  CurlHttpClient client(loop, {.ca_file = ca_file});
  HttpAnswer answer;
  client.send({.method = "POST", .url = peer.url(), .body = "x"}, [&](HttpAnswer got) {
    answer = std::move(got);
    loop.stop();
  });
  loop.run();
  return answer;
}

TEST(HttpClientTls, TakesAPeerWhoseCertificateItTrusts) {
  TlsPeer peer("IP:127.0.0.1");
  auto const answer = call(peer, peer.ca_file);
  EXPECT_EQ(answer.delivery, Delivery::answered) << answer.error;
  EXPECT_EQ(answer.body, "ok");
  EXPECT_THAT(peer.wait_and_tell_seen(), testing::StartsWith("POST /charges HTTP/1.1\r\n"));
}

TEST(HttpClientTls, AnUnknownCertificateMeansNeverSent) {
  TlsPeer peer("IP:127.0.0.1");
  EXPECT_EQ(call(peer, "").delivery, Delivery::never_sent);
  EXPECT_EQ(peer.wait_and_tell_seen(), "");
}

TEST(HttpClientTls, ACertificateForAnotherNameMeansNeverSent) {
  TlsPeer peer("DNS:payments.example");
  EXPECT_EQ(call(peer, peer.ca_file).delivery, Delivery::never_sent);
  EXPECT_EQ(peer.wait_and_tell_seen(), "");
}

}  // namespace
}  // namespace payonce
