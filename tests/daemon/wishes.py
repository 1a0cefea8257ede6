#!/usr/bin/env python3
"""wishes.py - what somebody wants, in words of their own, and the tool for it (hosts.md HO-010): one at least for each
tool that a conversation does not begin with, and some for those that it does. They were written before anybody looked
whether a tool has these words."""
import sys

from finders import Home, check, names_of


FIRST = [
    # floorplan
    ("how many square metres has the kitchen", "analyze_floorplan"),
    ("give me the flat as a CAD drawing", "export_floorplan"),
    ("make a PDF of the house I can print", "export_floorplan"),
    ("read a plan that was saved as JSON", "import_floorplan"),
    ("add a room", "modify_floorplan"),
    ("rename the bedroom", "modify_floorplan"),
    ("make the living room bigger", "modify_floorplan"),
    ("put a door between hall and kitchen", "modify_floorplan"),
    ("work on my floorplan file together", "open_floorplan"),
    ("do the change of the plan again", "redo_floorplan"),
    ("show me what the flat looks like", "render_floorplan"),
    ("make the picture bigger", "render_floorplan"),
    ("write the floor plan to disk", "save_floorplan"),
    ("take back what I did to the house", "undo_floorplan"),
    ("is there a mistake in my floor plan", "validate_floorplan"),
    ("replace the whole text of the plan", "write_floorplan"),
    # plan
    ("write several summaries and keep the best one", "terraform_explain_best_of_n"),
    ("what is different between yesterday's plan and today's", "terraform_compare"),
    ("what do you send to the AI about my plan", "terraform_context"),
    ("tell me in simple words what will happen to my infrastructure", "terraform_explain"),
    ("which plans did I look at last week", "terraform_history"),
    ("list what will be destroyed", "terraform_parse"),
    ("mark this change as approved by me", "terraform_review"),
    ("is it dangerous to apply this", "terraform_risk"),
    ("how good is this explanation", "terraform_score"),
    ("details of a single change", "terraform_show_change"),
    # workbench
    ("which component is selected in the browser", "workbench_get_selection"),
    ("let me click the element I mean", "workbench_wait_for_selection"),
    ("what React components does this app have", "workbench_list_components"),
    ("which props has the button component", "workbench_get_component"),
    ("which components are mounted on the page", "workbench_list_instances"),
    ("read the routes of the front end", "workbench_read_state"),
    ("try another label on the button without touching the code", "workbench_apply_overrides"),
    ("let me see a screenshot of the app as it is now", "workbench_capture"),
    ("take the page to the route of an item", "workbench_navigate"),
    ("highlight that component on the page", "workbench_select"),
    ("show the dev server's app in a preview", "workbench_start_preview"),
    ("end the preview of the page", "workbench_stop_preview"),
    ("take back the last prop that was overridden", "workbench_undo"),
    # studio
    ("add a virtual machine", "add_resource"),
    ("do twenty things in one go", "execute_batch"),
    ("stop the deployment", "cancel_run"),
    ("abort terraform", "cancel_run"),
    ("who changed the diagram", "list_changes"),
    ("close the project", "close_project"),
    ("draw a line between two nodes", "connect_resources"),
    ("link the app to the database", "connect_resources"),
    ("duplicate a subnet", "copy_resources"),
    ("show me the cost", "estimate_costs"),
    ("how much will I pay each month", "estimate_costs"),
    ("what is on the canvas", "get_diagram"),
    ("delete an arrow", "disconnect_resources"),
    ("save the diagram as an image", "export_diagram"),
    ("write the tf code", "generate_hcl"),
    ("what did others do since I last looked", "get_changes"),
    ("which region is configured", "get_project_config"),
    ("what would terraform do with my diagram", "get_plan"),
    ("did the apply succeed", "get_run"),
    ("show the log of the last apply", "get_run"),
    ("which nodes has the user clicked", "get_selection"),
    ("load my existing terraform code", "import_terraform"),
    ("tidy up the drawing", "layout_diagram"),
    ("align the boxes automatically", "layout_diagram"),
    ("list all nodes", "list_resources"),
    ("browse directories for a project", "list_folders"),
    ("which projects did I use recently", "list_projects"),
    ("drag a box somewhere else", "move_resource"),
    ("shift several boxes to the left", "move_resources"),
    ("start a new diagram", "new_project"),
    ("load a project", "open_project"),
    ("redo", "redo_change"),
    ("remove a server", "remove_resource"),
    ("deploy it", "run_terraform"),
    ("destroy everything in the cloud", "run_terraform"),
    ("store my work", "save_project"),
    ("use another region", "set_project_config"),
    ("tell the others where my cursor is", "set_presence"),
    ("highlight a node for the user", "show_on_canvas"),
    ("is the database already deployed", "get_deployment_status"),
    ("what kinds of resources are there", "get_available_resource_types"),
    ("undo what I did", "undo_change"),
    ("rename a node", "update_resource"),
    ("set the SKU of the vm", "update_resource"),
    ("change the label of an arrow", "update_edge"),
    ("is my diagram correct", "validate_diagram"),
    # terminal
    ("would I be allowed to run rm -rf", "check_command"),
    ("close the shell", "close_session"),
    ("open a second terminal", "create_session"),
    ("run the tests", "execute_command"),
    ("ask the user for the sudo password", "hand_over"),
    ("open a file in vim", "send_keys"),
    ("answer yes to the prompt", "send_keys"),
    ("which terminals are open", "list_sessions"),
    ("let somebody watch the terminal in the browser", "open_live_view"),
    ("show me the last lines that were printed", "get_terminal_output"),
    ("make the terminal wider", "resize_session"),
    ("what does vim show right now", "get_screen"),
    ("take a screenshot of the terminal", "get_screen"),
    ("which commands did I run yesterday", "search_history"),
    ("press ctrl-c", "signal"),
    ("kill the process that hangs", "signal"),
    ("use the other shell from now on", "switch_session"),
    ("tell me when the build has finished", "wait_for"),
]

SECOND = [
    ("area of each room", "analyze_floorplan"),
    ("how far is it to the emergency exit", "analyze_floorplan"),
    ("save the apartment as SVG", "export_floorplan"),
    ("convert old floor plan JSON into text", "import_floorplan"),
    ("move a wall", "modify_floorplan"),
    ("delete the bathroom", "modify_floorplan"),
    ("step forward again after undoing in the floor plan", "redo_floorplan"),
    ("store the house on my computer", "save_floorplan"),
    ("go back one step in the floor plan", "undo_floorplan"),
    ("pick the best of five descriptions of the plan", "terraform_explain_best_of_n"),
    ("diff two plans", "terraform_compare"),
    ("what data leaves my machine", "terraform_context"),
    ("find an explanation from last month", "terraform_history"),
    ("leave a note on a change for my colleague", "terraform_review"),
    ("will I lose data", "terraform_risk"),
    ("rate my summary", "terraform_score"),
    ("show the values before and after of one resource in the plan", "terraform_show_change"),
    ("put a storage account into the diagram", "add_resource"),
    ("the apply takes too long, end it", "cancel_run"),
    ("history of the diagram", "list_changes"),
    ("I am done with this project", "close_project"),
    ("wire the load balancer to the web servers", "connect_resources"),
    ("clone the whole environment", "copy_resources"),
    ("budget of this architecture", "estimate_costs"),
    ("cut the link between app and cache", "disconnect_resources"),
    ("give me the terraform files", "generate_hcl"),
    ("anything new in the diagram", "get_changes"),
    ("show the project settings", "get_project_config"),
    ("which nodes would be replaced", "get_plan"),
    ("how is the deployment going", "get_run"),
    ("what is selected", "get_selection"),
    ("turn my state file into a diagram", "import_terraform"),
    ("rearrange everything neatly", "layout_diagram"),
    ("show me all resources in a table", "list_resources"),
    ("where can I put my project", "list_folders"),
    ("recent projects", "list_projects"),
    ("put the vm into another subnet", "move_resource"),
    ("move all of these at once", "move_resources"),
    ("continue with yesterday's project", "open_project"),
    ("repeat the change I took back", "redo_change"),
    ("throw away the load balancer", "remove_resource"),
    ("apply the plan", "run_terraform"),
    ("write the diagram to the folder", "save_project"),
    ("switch the naming convention", "set_project_config"),
    ("share my position with the other viewers", "set_presence"),
    ("point at the broken node", "show_on_canvas"),
    ("what exists in Azure already", "get_deployment_status"),
    ("revert my last edit of the diagram", "undo_change"),
    ("change the size of the database server", "update_resource"),
    ("point an edge at another target", "update_edge"),
    ("can I run this safely", "check_command"),
    ("exit the terminal", "close_session"),
    ("let me type the one-time code myself", "hand_over"),
    ("link for watching the shell live", "open_live_view"),
    ("terminal is too small", "resize_session"),
    ("what is htop displaying", "get_screen"),
    ("find the curl command from before", "search_history"),
    ("terminate the running program", "signal"),
    ("make session two the active one", "switch_session"),
]

# Written when the keywords of the tools were there, and no keyword was chosen for these.
THIRD = [
    ("compute the floor space", "analyze_floorplan"),
    ("I need a printable version of the apartment", "export_floorplan"),
    ("turn this JSON into a floor plan", "import_floorplan"),
    ("insert a window in the south wall", "modify_floorplan"),
    ("remove the second bedroom", "modify_floorplan"),
    ("reapply the last edit of the flat", "redo_floorplan"),
    ("keep the flat in a file", "save_floorplan"),
    ("revert the floor plan", "undo_floorplan"),
    ("check the flat for mistakes", "validate_floorplan"),
    ("try several explanations of the plan and use the best", "terraform_explain_best_of_n"),
    ("what changed between the old plan and the new plan", "terraform_compare"),
    ("is anything secret sent to the model", "terraform_context"),
    ("show explanations from yesterday", "terraform_history"),
    ("sign off the changes of the plan", "terraform_review"),
    ("could this plan cause an outage", "terraform_risk"),
    ("grade the explanation", "terraform_score"),
    ("why is this resource replaced in the plan", "terraform_show_change"),
    ("create a new network", "add_resource"),
    ("halt the running apply", "cancel_run"),
    ("who edited this and when", "list_changes"),
    ("leave the project without saving", "close_project"),
    ("draw an arrow from the app to the queue", "connect_resources"),
    ("make a copy of this group", "copy_resources"),
    ("is this architecture expensive", "estimate_costs"),
    ("remove the arrow between these two", "disconnect_resources"),
    ("produce terraform code from the diagram", "generate_hcl"),
    ("has somebody edited the diagram meanwhile", "get_changes"),
    ("what naming convention does the project use", "get_project_config"),
    ("preview the changes to the nodes before I deploy", "get_plan"),
    ("why did the deployment fail", "get_run"),
    ("what is the user pointing at", "get_selection"),
    ("read my tf files into the diagram", "import_terraform"),
    ("the diagram is messy, clean it up", "layout_diagram"),
    ("overview of the resources", "list_resources"),
    ("find the folder of my project", "list_folders"),
    ("what projects do I have", "list_projects"),
    ("make a box wider", "move_resource"),
    ("move five nodes together", "move_resources"),
    ("resume an existing project", "open_project"),
    ("redo the last thing in the diagram", "redo_change"),
    ("get rid of the old vm", "remove_resource"),
    ("roll out the infrastructure", "run_terraform"),
    ("save everything", "save_project"),
    ("change the tags of the project", "set_project_config"),
    ("let others see what I am looking at", "set_presence"),
    ("mark the faulty resource so that the user sees it", "show_on_canvas"),
    ("which of my resources are live in the cloud", "get_deployment_status"),
    ("that was wrong, take it back", "undo_change"),
    ("give the database another name", "update_resource"),
    ("relabel the connection", "update_edge"),
    ("is it forbidden to delete this folder", "check_command"),
    ("end this shell", "close_session"),
    ("a human has to enter the passphrase", "hand_over"),
    ("I want to watch what you do in the terminal", "open_live_view"),
    ("set the terminal to 120 columns", "resize_session"),
    ("see the editor on the screen", "get_screen"),
    ("what did I type last time", "search_history"),
    ("stop the server that is running in the terminal", "signal"),
    ("go back to the first session", "switch_session"),
]

SUITE = "wishes"
AMONG = 3   # of those that are named first
SHARE = 0.95


def step(name):
    return check.Step(SUITE, name)


def named(answer, listed):
    """The names in the order in which they are told: with their arguments, then without. Of a tool that the caller's list
    has: among those that it has."""
    names = [tool["name"] for tool in answer["tools"]] + answer["others"]
    return [name for name in names if name in listed] if listed else names


def missed(client, wishes, short):
    """Of each wish whose tool is not among the first: (wish, tool, what was named)."""
    found = [(wish, tool, named(client.use("find_tools", query=wish), short if tool in short else ())[:AMONG])
             for wish, tool in wishes]
    return [one for one in found if one[1] not in one[2]]


def main():
    with Home("http", {}) as home, home.relay() as client, home.relay("--all") as other:
        short, every = names_of(client), names_of(other)
        with step("HO-010: each tool that is not listed is wished for"):
            wished = {tool for _, tool in FIRST + SECOND + THIRD}
            check.need(wished <= set(every), wished - set(every))
            check.need(set(every) - set(short) <= wished, set(every) - set(short) - wished)
        for what, wishes in (("first", FIRST), ("second", SECOND), ("third", THIRD)):
            with step(f"HO-010: {len(wishes)} wishes ({what}), the tool among {AMONG} in {SHARE:.0%}"):
                wrong = missed(client, wishes, short)
                print(f"{SUITE}: {what}: {len(wishes) - len(wrong)} of {len(wishes)}", flush=True)
                for wish, tool, names in wrong:
                    print(f"{SUITE}:   {wish}: {tool}, not {names}", flush=True)
                check.need(len(wrong) <= len(wishes) * (1 - SHARE), f"{len(wrong)} missed")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
