/* serve_command.h - `tenon serve APP...`: apps in one foreground process, without a daemon. */
#ifndef TN_HOST_SERVE_COMMAND_H
#define TN_HOST_SERVE_COMMAND_H

/* argv[0] is the first word after `serve`. Returns the exit code: 0 ok; 1 usage, also
 * an address or port that cannot be had; 2 a file of settings or policy that is missing or wrong;
 * 70 failure. */
int tn_serve_command(int argc, char **argv);

#endif
