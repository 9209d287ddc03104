// A complete back end of a shop that is paid through payonce: orders, checkout, effects. JDK 17 or later, Jackson, and the
// JDBC driver of PostgreSQL.
//
//   PAYONCE_URL=http://127.0.0.1:8080 PAYONCE_KEY=pok_... EFFECT_SECRET=whsec_... PORT=8092 \
//     java -cp "JACKSON:DRIVER" Shop.java jdbc:postgresql://127.0.0.1/shop
//
//   curl -X POST localhost:8092/orders -d '{"item":"tea"}'     the order's number and where its buyer pays
//   curl localhost:8092/orders/1                               whether it is shipped
//   POST /ship                                                 payonce delivers the effect "ship" here
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Shop {
  static final String PAYONCE = System.getenv("PAYONCE_URL");
  static final byte[] SECRET = Base64.getDecoder().decode(System.getenv("EFFECT_SECRET").substring("whsec_".length()));
  static final Map<String, Long> PRICES = Map.of("tea", 12800L, "cup", 6800L);
  // Older or younger than this by its own time stamp is refused: somebody may have kept a copy.
  static final long TOLERANCE_S = 300;
  static final HttpClient http = HttpClient.newHttpClient();
  static final ObjectMapper json = new ObjectMapper();
  static String database;

  record Answer(int status, Map<String, ?> body) {}

  static JsonNode payonce(String method, String path, Map<String, ?> body) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(PAYONCE + path))
        .header("Authorization", "Bearer " + System.getenv("PAYONCE_KEY"))
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofString(json.writeValueAsString(body)))
        .timeout(Duration.ofSeconds(30)).build();
    var response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() >= 300) throw new IOException("payonce answered " + response.body());
    return json.readTree(response.body());
  }

  static Answer placeOrder(String item) throws Exception {
    if (!PRICES.containsKey(item)) return new Answer(400, Map.of());
    long number;
    try (var db = DriverManager.getConnection(database);
         var insert = db.prepareStatement("INSERT INTO orders (item) VALUES (?) RETURNING id")) {
      insert.setString(1, item);
      var row = insert.executeQuery();
      row.next();
      number = row.getLong(1);
    }
    // The shop's own number is the order's name; both calls may be repeated.
    String path = "/v1/orders/" + number;
    payonce("PUT", path, Map.of("amount", PRICES.get(item), "currency", "CNY"));
    String checkout = payonce("POST", path + "/checkout-tokens", Map.of()).get("url").asText();
    return new Answer(201, Map.of("order", number, "checkout", checkout));
  }

  static Answer lookAt(String number) throws SQLException {
    try (var db = DriverManager.getConnection(database);
         var select = db.prepareStatement("SELECT item, shipped FROM orders WHERE id::text = ?")) {
      select.setString(1, number);
      var row = select.executeQuery();
      return row.next() ? new Answer(200, Map.of("item", row.getString(1), "shipped", row.getInt(2)))
          : new Answer(404, Map.of());
    }
  }

  // Whether payonce has signed these bytes, lately.
  static boolean isGenuine(Headers headers, byte[] body) throws GeneralSecurityException {
    String id = headers.getFirst("webhook-id");
    String timestamp = headers.getFirst("webhook-timestamp");
    String signatures = headers.getFirst("webhook-signature");
    if (id == null || signatures == null || timestamp == null || !timestamp.matches("\\d{1,18}")) return false;
    if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_S) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
    // During a rotation there are several, one for each secret.
    for (String one : signatures.split(" ")) if (MessageDigest.isEqual(one.getBytes(UTF_8), expected)) return true;
    return false;
  }

  // One transaction: the row that says it was done, and what is done. A copy that comes at the same moment waits for it.
  static void ship(String id, JsonNode data) throws SQLException {
    try (Connection db = DriverManager.getConnection(database)) {
      db.setAutoCommit(false);
      try (var row = db.prepareStatement(
               "INSERT INTO payonce_effects (id, effect, order_id) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING");
           var work = db.prepareStatement("UPDATE orders SET shipped = shipped + 1 WHERE id::text = ?")) {
        row.setString(1, id);
        row.setString(2, data.get("effect").asText());
        row.setString(3, data.get("order_id").asText());
        if (row.executeUpdate() == 1) {
          work.setString(1, data.get("order_id").asText());
          work.executeUpdate();
        }
      }
      db.commit();  // not reached after an error: closing the connection rolls back
    }
  }

  static Answer answerTo(HttpExchange exchange) throws Exception {
    String path = exchange.getRequestURI().getPath();
    byte[] body = exchange.getRequestBody().readAllBytes();
    boolean isPost = exchange.getRequestMethod().equals("POST");
    if (isPost && path.equals("/orders")) return placeOrder(json.readTree(body).path("item").asText());
    if (!isPost && path.startsWith("/orders/")) return lookAt(path.substring("/orders/".length()));
    if (!isPost || !path.equals("/ship")) return new Answer(404, Map.of());
    if (!isGenuine(exchange.getRequestHeaders(), body)) return new Answer(401, Map.of());
    ship(exchange.getRequestHeaders().getFirst("webhook-id"), json.readTree(body).get("data"));
    return new Answer(200, Map.of());
  }

  static void handle(HttpExchange exchange) throws IOException {
    Answer answer;
    try {
      answer = answerTo(exchange);
    } catch (Exception error) {
      // Anything but 2xx makes payonce send the effect again.
      error.printStackTrace();
      answer = new Answer(500, Map.of());
    }
    byte[] text = json.writeValueAsBytes(answer.body());
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(answer.status(), text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }

  public static void main(String[] arguments) throws Exception {
    database = arguments[0];
    try (var db = DriverManager.getConnection(database); var schema = db.createStatement()) {
      schema.execute("CREATE TABLE IF NOT EXISTS orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
          + "item text NOT NULL, shipped integer NOT NULL DEFAULT 0)");
      schema.execute("CREATE TABLE IF NOT EXISTS payonce_effects (id text COLLATE \"C\" PRIMARY KEY, "
          + "effect text NOT NULL, order_id text NOT NULL, done_at timestamptz NOT NULL DEFAULT now())");
    }
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))), 0);
    server.setExecutor(Executors.newFixedThreadPool(8));
    server.createContext("/", Shop::handle);
    server.start();
    System.out.println("shop on http://127.0.0.1:" + server.getAddress().getPort());
  }
}
