#!/usr/bin/env python3
"""annotations.py - what each tool says of itself to hosts, which ask their users less about it, is so of every call
(mcp.md 2.6, studio.md 12.1, terminal.md 7, plan.md 12, floorplan.md 7, workbench.md 15.3 and 17): the tables of the contracts, and each tool is in them once."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
import studio  # noqa: E402
from check import Step, need  # noqa: E402

SUITE = "daemon-annotations"
# readOnly, destructive (of what is not read-only), idempotent, openWorld
TABLE = {
    (True, None, True, False): """
        analyze_floorplan export_floorplan import_floorplan render_floorplan validate_floorplan
        terraform_compare terraform_context terraform_parse terraform_risk terraform_score terraform_show_change
        list_changes estimate_costs get_diagram get_changes get_project_config get_plan get_run get_selection list_resources
        list_folders list_projects set_presence show_on_canvas get_deployment_status get_available_resource_types validate_diagram
        check_command list_sessions get_terminal_output get_screen search_history wait_for
        workbench_get_component workbench_get_selection workbench_list_components workbench_list_instances
        workbench_read_state""",
    # The same call again is another document, or another answer of a model.
    (True, None, False, False): "open_floorplan terraform_explain terraform_explain_best_of_n terraform_history "
                                "workbench_wait_for_selection",
    (False, False, False, False): "terraform_review add_resource copy_resources export_diagram new_project create_session "
                                  "hand_over open_live_view",
    (False, False, True, False): """
        close_project connect_resources generate_hcl import_terraform layout_diagram move_resource move_resources open_project
        save_project resize_session switch_session
        workbench_select workbench_navigate""",
    (False, False, True, True): "workbench_capture workbench_start_preview",
    # modify_floorplan changes a document that others have open, when it is given one.
    (False, True, False, False): """
        modify_floorplan redo_floorplan undo_floorplan execute_batch disconnect_resources redo_change remove_resource undo_change
        workbench_undo""",
    (False, True, True, False): """
        save_floorplan write_floorplan set_project_config update_resource update_edge close_session signal
        workbench_apply_overrides workbench_stop_preview""",
    (False, True, True, True): "cancel_run",
    (False, True, False, True): "run_terraform execute_command send_keys",
}


def hints_of(tool):
    given = tool["annotations"]
    destructive = None if given["readOnlyHint"] else given["destructiveHint"]
    return given["readOnlyHint"], destructive, given["idempotentHint"], given["openWorldHint"]


def main():
    wanted = {name: hints for hints, names in TABLE.items() for name in names.split()}
    with daemon.Home() as home:
        home.foreground()
        seen = set()
        for app in ("plan", "floorplan", "studio", "terminal", "workbench"):
            link = links.Stdio([daemon.TENON, "mcp", app], env=home.env)
            for tool in studio.Assistant(link).ask("tools/list")["result"]["tools"]:
                seen.add(tool["name"])
                with Step(SUITE, f"{tool['name']} says what is so"):
                    need(hints_of(tool) == wanted.get(tool["name"]), f"{hints_of(tool)}, not {wanted.get(tool['name'])}")
            link.close()
        with Step(SUITE, "and no tool is missing"):
            need(seen == wanted.keys(), seen ^ wanted.keys())
    return 1 if check.failures else 0


sys.exit(main())
