/* studio_data.h - subcommands of `tenon studio` that work on files alone, without a daemon.
 * Threads: main. */
#ifndef TN_CLI_STUDIO_DATA_H
#define TN_CLI_STUDIO_DATA_H

/* tenon studio types check FILE (studio.md ST-050). argv[0] is "types". */
int tn_cli_studio_types(int argc, char **argv);
/* tenon studio prices refresh (ST-111). argv[0] is "prices". */
int tn_cli_studio_prices(int argc, char **argv);

#endif
