// Brings banks' notices to nodes, again and again until one says that it is safe.
#pragma once

#include <memory>
#include <vector>

#include "simulate/town.h"

namespace payonce::simulate {

class Postman {
 public:
  explicit Postman(Town town) : town_(town) {}
  Postman(Postman const&) = delete;
  Postman& operator=(Postman const&) = delete;

  void take(BankNotice notice);
  bool is_waiting() const { return waiting_for_ > 0; }
  // Brings every notice there ever was once more; nothing may come of it.
  void repeat_everything();

 private:
  struct Letter {
    BankNotice notice;
    int tries = 0;
    bool is_safe = false;
  };
  using LetterPtr = std::shared_ptr<Letter>;

  void try_once(LetterPtr const& letter);
  void arrive(LetterPtr const& letter, Millis delay);

  Town town_;
  std::vector<LetterPtr> letters_;
  int waiting_for_ = 0;
};

}  // namespace payonce::simulate
