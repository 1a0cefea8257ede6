/* workbench.h - the commands of `tenon workbench` that stand in files of their own. Threads: main.
 */
#ifndef TN_CLI_WORKBENCH_H
#define TN_CLI_WORKBENCH_H

int tn_cli_workbench_edit(int argc, char **argv);

#endif
