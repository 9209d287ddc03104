// A complete back end of a shop that is paid through payonce: orders, checkout, effects. C++20 with cpp-httplib,
// Boost.JSON, libpq and OpenSSL.
//
//   g++ -std=c++20 shop.cpp -o shop $(pkg-config --cflags --libs cpp-httplib libpq libcrypto) -lboost_json
//   export PAYONCE_URL=http://127.0.0.1:8080 PAYONCE_KEY=pok_... EFFECT_SECRET=whsec_... PORT=8092
//   ./shop postgresql://127.0.0.1/shop
//
//   curl -X POST localhost:8092/orders -d '{"item":"tea"}'     the order's number and where its buyer pays
//   curl localhost:8092/orders/1                               whether it is shipped
//   POST /ship                                                 payonce delivers the effect "ship" here
#include <httplib.h>
#include <libpq-fe.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <boost/json.hpp>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace json = boost::json;

std::map<std::string, std::int64_t> const prices{{"tea", 12800}, {"cup", 6800}};
// Older or younger than this by its own time stamp is refused: somebody may have kept a copy.
constexpr long long tolerance_s = 300;

std::string environment(char const* name) {
  char const* const value = std::getenv(name);
  if (!value) throw std::runtime_error{std::string{name} + " is not set"};
  return value;
}

class Database {
 public:
  using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

  explicit Database(std::string const& address) : connection_{PQconnectdb(address.c_str()), PQfinish} {
    if (PQstatus(connection_.get()) != CONNECTION_OK) throw std::runtime_error{PQerrorMessage(connection_.get())};
  }
  Result run(char const* sql, std::vector<std::string> const& parameters = {}) {
    std::vector<char const*> values;
    for (std::string const& one : parameters) values.push_back(one.c_str());
    Result result{PQexecParams(connection_.get(), sql, static_cast<int>(values.size()), nullptr, values.data(), nullptr,
                               nullptr, 0),
                  PQclear};
    ExecStatusType const status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
      throw std::runtime_error{PQerrorMessage(connection_.get())};
    return result;
  }

 private:
  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

json::object payonce(std::string const& method, std::string const& path, json::object const& body) {
  httplib::Client client{environment("PAYONCE_URL")};
  client.set_read_timeout(std::chrono::seconds{30});
  httplib::Request request;
  request.method = method;
  request.path = path;
  request.body = json::serialize(body);
  request.headers = {{"Authorization", "Bearer " + environment("PAYONCE_KEY")}, {"Content-Type", "application/json"}};
  httplib::Result const answer = client.send(request);
  if (!answer || answer->status >= 300)
    throw std::runtime_error{"payonce answered " + (answer ? answer->body : httplib::to_string(answer.error()))};
  return json::parse(answer->body).as_object();
}

json::object place_order(Database database, std::string const& item) {
  auto const row = database.run("INSERT INTO orders (item) VALUES ($1) RETURNING id", {item});
  std::string const number = PQgetvalue(row.get(), 0, 0);
  // The shop's own number is the order's name; both calls may be repeated.
  std::string const path = "/v1/orders/" + number;
  payonce("PUT", path, {{"amount", prices.at(item)}, {"currency", "CNY"}});
  return {{"order", std::stoll(number)}, {"checkout", payonce("POST", path + "/checkout-tokens", {}).at("url")}};
}

// The secret behind whsec_, decoded.
std::string signing_key(std::string const& secret) {
  std::string const text = secret.substr(std::string{"whsec_"}.size());
  std::string key(text.size() / 4 * 3, '\0');
  int const size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(key.data()),
                                   reinterpret_cast<unsigned char const*>(text.data()), static_cast<int>(text.size()));
  if (size < 0) throw std::runtime_error{"EFFECT_SECRET is not base 64"};
  key.resize(static_cast<std::size_t>(size) - (text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0));
  return key;
}

// Whether payonce has signed these bytes, lately.
bool is_genuine(httplib::Request const& request, std::string const& key) {
  std::string const timestamp = request.get_header_value("webhook-timestamp");
  if (std::llabs(std::time(nullptr) - std::atoll(timestamp.c_str())) > tolerance_s) return false;
  std::string const text = request.get_header_value("webhook-id") + "." + timestamp + "." + request.body;
  unsigned char mac[32];
  unsigned char base64[45];
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<unsigned char const*>(text.data()),
       text.size(), mac, nullptr);
  EVP_EncodeBlock(base64, mac, sizeof mac);
  std::string const expected = "v1," + std::string{reinterpret_cast<char const*>(base64)};
  // During a rotation there are several, one for each secret.
  std::istringstream signatures{request.get_header_value("webhook-signature")};
  for (std::string one; signatures >> one;)
    if (one.size() == expected.size() && CRYPTO_memcmp(one.data(), expected.data(), one.size()) == 0) return true;
  return false;
}

// One transaction: the row that says it was done, and what is done. A copy that comes at the same moment waits for it.
// After an error the connection ends with `database`, and the transaction with it.
void ship(Database database, std::string const& id, std::string const& effect, std::string const& order) {
  database.run("BEGIN");
  auto const row =
      database.run("INSERT INTO payonce_effects (id, effect, order_id) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING",
                   {id, effect, order});
  if (std::string{PQcmdTuples(row.get())} == "1")
    database.run("UPDATE orders SET shipped = shipped + 1 WHERE id::text = $1", {order});
  database.run("COMMIT");
}

void create_tables(Database database) {
  database.run(
      "CREATE TABLE IF NOT EXISTS orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
      "item text NOT NULL, shipped integer NOT NULL DEFAULT 0)");
  database.run(
      "CREATE TABLE IF NOT EXISTS payonce_effects (id text COLLATE \"C\" PRIMARY KEY, effect text NOT NULL, "
      "order_id text NOT NULL, done_at timestamptz NOT NULL DEFAULT now())");
}

void answer(httplib::Response& response, int status, json::object const& body = {}) {
  response.status = status;
  response.set_content(json::serialize(body), "application/json");
}

int main(int, char** arguments) {
  std::string const address = arguments[1];
  std::string const key = signing_key(environment("EFFECT_SECRET"));
  create_tables(Database{address});
  httplib::Server server;
  server.Post("/orders", [&](httplib::Request const& request, httplib::Response& response) {
    std::string const item{json::parse(request.body).at("item").as_string()};
    if (!prices.contains(item)) return answer(response, 400);
    answer(response, 201, place_order(Database{address}, item));
  });
  server.Get(R"(/orders/(\d+))", [&](httplib::Request const& request, httplib::Response& response) {
    Database database{address};
    auto const row = database.run("SELECT item, shipped FROM orders WHERE id::text = $1", {request.matches[1]});
    if (PQntuples(row.get()) == 0) return answer(response, 404);
    answer(response, 200, {{"item", PQgetvalue(row.get(), 0, 0)}, {"shipped", std::atoi(PQgetvalue(row.get(), 0, 1))}});
  });
  server.Post("/ship", [&](httplib::Request const& request, httplib::Response& response) {
    if (!is_genuine(request, key)) return answer(response, 401);
    json::object const data = json::parse(request.body).at("data").as_object();
    ship(Database{address}, request.get_header_value("webhook-id"), std::string{data.at("effect").as_string()},
         std::string{data.at("order_id").as_string()});
    answer(response, 200);
  });
  // Anything but 2xx makes payonce send the effect again.
  server.set_exception_handler([](httplib::Request const&, httplib::Response& response, std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (std::exception const& what) {
      std::cerr << what.what() << '\n';
    }
    answer(response, 500);
  });
  int const port = std::stoi(environment("PORT"));
  if (!server.bind_to_port("127.0.0.1", port)) throw std::runtime_error{"the port is taken"};
  std::cout << "shop on http://127.0.0.1:" << port << std::endl;
  server.listen_after_bind();
}
