// The program: finds the command and runs it.
#include "cli/program.h"

int main(int argc, char** argv) { return payonce::run_program(argc, argv); }
