// A complete back end of a shop that is paid through payonce: orders, checkout, effects. The standard library and the
// driver github.com/lib/pq of PostgreSQL.
//
//	PAYONCE_URL=http://127.0.0.1:8080 PAYONCE_KEY=pok_... EFFECT_SECRET=whsec_... PORT=8092 \
//	  go run shop.go 'postgres://127.0.0.1/shop?sslmode=disable'
//
//	curl -X POST localhost:8092/orders -d '{"item":"tea"}'     the order's number and where its buyer pays
//	curl localhost:8092/orders/1                               whether it is shipped
//	POST /ship                                                 payonce delivers the effect "ship" here
package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	_ "github.com/lib/pq"
)

const (
	schema = `
CREATE TABLE IF NOT EXISTS orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, item text NOT NULL,
  shipped integer NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS payonce_effects (id text COLLATE "C" PRIMARY KEY, effect text NOT NULL,
  order_id text NOT NULL, done_at timestamptz NOT NULL DEFAULT now());`
	bodyMax = 64 << 10
	// Older or younger than this by its own time stamp is refused: somebody may have kept a copy.
	toleranceSeconds = 300
)

var (
	db     *sql.DB
	prices = map[string]int64{"tea": 12800, "cup": 6800}
	client = http.Client{Timeout: 30 * time.Second}
)

// One call to payonce. Both calls that are made here may be repeated as often as one likes.
func payonce(ctx context.Context, method, path string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, method, os.Getenv("PAYONCE_URL")+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PAYONCE_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		text, _ := io.ReadAll(response.Body)
		return fmt.Errorf("payonce answered %d: %s", response.StatusCode, text)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

func placeOrder(ctx context.Context, item string) (map[string]any, error) {
	var number int64
	if err := db.QueryRowContext(ctx, "INSERT INTO orders (item) VALUES ($1) RETURNING id", item).Scan(&number); err != nil {
		return nil, err
	}
	// The shop's own number is the order's name.
	path := fmt.Sprintf("/v1/orders/%d", number)
	var registered struct{}
	if err := payonce(ctx, "PUT", path, map[string]any{"amount": prices[item], "currency": "CNY"}, &registered); err != nil {
		return nil, err
	}
	var token struct {
		URL string `json:"url"`
	}
	err := payonce(ctx, "POST", path+"/checkout-tokens", map[string]any{}, &token)
	return map[string]any{"order": number, "checkout": token.URL}, err
}

// Whether payonce has signed these bytes, lately.
func isGenuine(header http.Header, body []byte) bool {
	timestamp, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if age := time.Now().Unix() - timestamp; err != nil || age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("EFFECT_SECRET"), "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("webhook-id"), header.Get("webhook-timestamp"), body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// During a rotation there are several, one for each secret.
	for _, one := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(one), []byte(expected)) {
			return true
		}
	}
	return false
}

// One transaction: the row that says it was done, and what is done. A copy that comes at the same moment waits for it.
func ship(ctx context.Context, id, effect, order string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after a commit
	row, err := tx.ExecContext(ctx,
		"INSERT INTO payonce_effects (id, effect, order_id) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING", id, effect, order)
	if err != nil {
		return err
	}
	if rows, err := row.RowsAffected(); err != nil {
		return err
	} else if rows == 1 {
		if _, err := tx.ExecContext(ctx, "UPDATE orders SET shipped = shipped + 1 WHERE id::text = $1", order); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func answer(response http.ResponseWriter, status int, body any) {
	response.Header().Set("Content-Type", "application/json")
	response.WriteHeader(status)
	json.NewEncoder(response).Encode(body)
}

// Anything but 2xx makes payonce send the effect again.
func fail(response http.ResponseWriter, err error) {
	log.Print(err)
	answer(response, http.StatusInternalServerError, struct{}{})
}

func handleOrders(response http.ResponseWriter, request *http.Request) {
	var order struct{ Item string }
	if err := json.NewDecoder(request.Body).Decode(&order); err != nil || prices[order.Item] == 0 {
		answer(response, http.StatusBadRequest, struct{}{})
		return
	}
	placed, err := placeOrder(request.Context(), order.Item)
	if err != nil {
		fail(response, err)
		return
	}
	answer(response, http.StatusCreated, placed)
}

func handleOrder(response http.ResponseWriter, request *http.Request) {
	var item string
	var shipped int
	number := strings.TrimPrefix(request.URL.Path, "/orders/")
	err := db.QueryRowContext(request.Context(), "SELECT item, shipped FROM orders WHERE id::text = $1", number).Scan(&item, &shipped)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		answer(response, http.StatusNotFound, struct{}{})
	case err != nil:
		fail(response, err)
	default:
		answer(response, http.StatusOK, map[string]any{"item": item, "shipped": shipped})
	}
}

func handleShip(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyMax))
	if err != nil || !isGenuine(request.Header, body) {
		answer(response, http.StatusUnauthorized, struct{}{})
		return
	}
	var effect struct {
		Data struct {
			Effect  string `json:"effect"`
			OrderID string `json:"order_id"`
		} `json:"data"`
	}
	if err = json.Unmarshal(body, &effect); err == nil {
		err = ship(request.Context(), request.Header.Get("webhook-id"), effect.Data.Effect, effect.Data.OrderID)
	}
	if err != nil {
		fail(response, err)
		return
	}
	answer(response, http.StatusOK, struct{}{})
}

func main() {
	var err error
	if db, err = sql.Open("postgres", os.Args[1]); err != nil {
		log.Fatal(err)
	}
	if _, err = db.Exec(schema); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/orders", handleOrders)
	http.HandleFunc("/orders/", handleOrder)
	http.HandleFunc("/ship", handleShip)
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("shop on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}
