/* risk_disk.c - RISK-DATA-REPLACE of machines: what is on the root disk goes with the machine,
 * unless a switch keeps the disk. */
#include "apps/plan/explain/risk_rules.h"
#include "apps/plan/explain/turn.h"
#include "base/size.h"

/* Machines that have a disk of their own, and what says whether it stays; those that the table of
 * types calls stateful are told as that. */
static const struct machine {
	const char *type;
	const char *block, *name; /* of the switch; NULL: there is none */
	bool kept_when_on;
} machines[] = {
	{"aws_instance", "root_block_device", "delete_on_termination", false},
	{"aws_spot_instance_request", "root_block_device", "delete_on_termination", false},
	{"google_compute_instance", "boot_disk", "auto_delete", false},
	{"google_compute_instance_from_template", "boot_disk", "auto_delete", false},
	{"azurerm_linux_virtual_machine", NULL, NULL, false},
	{"azurerm_windows_virtual_machine", NULL, NULL, false},
	{"azurerm_virtual_machine", "", "delete_os_disk_on_termination", false},
	{"yandex_compute_instance", "boot_disk", "auto_delete", false},
	{"oci_core_instance", "", "preserve_boot_volume", true},
	{"openstack_compute_instance_v2", "block_device", "delete_on_termination", false},
	{"scaleway_instance_server", "root_volume", "delete_on_termination", false},
	{"alicloud_instance", NULL, NULL, false},
	{"digitalocean_droplet", NULL, NULL, false},
	{"hcloud_server", NULL, NULL, false},
	{"ibm_is_instance", "boot_volume", "auto_delete_volume", false},
	{"linode_instance", NULL, NULL, false},
	{"proxmox_virtual_environment_vm", NULL, NULL, false},
	{"tencentcloud_instance", NULL, NULL, false},
	{"vultr_instance", NULL, NULL, false},
};

static const struct machine *find_machine(struct tn_str type)
{
	for (size_t i = 0; i < TN_COUNT(machines); i++)
		if (tn_str_is(type, machines[i].type))
			return &machines[i];
	return NULL;
}

static bool is_switch(const struct machine *machine, struct tn_str path)
{
	struct tn_plan_path split = tn_plan_path_split(path);

	return tn_str_is(split.name, machine->name) &&
	       tn_str_is(tn_plan_path_root(split.owner), machine->block);
}

/* As it was: that decides when the old machine goes. */
enum tn_plan_disk_fate tn_plan_root_disk_fate(const struct tn_plan_entry *entry)
{
	const struct machine *machine = find_machine(entry->type);
	struct tn_str text;

	for (uint32_t i = 0; machine && machine->name && i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *at = &entry->attributes.items[i];

		if (is_switch(machine, at->path) && tn_plan_side_text(at, TN_PLAN_BEFORE, &text))
			return tn_str_is(text, machine->kept_when_on ? "true" : "false")
				       ? TN_PLAN_DISK_NONE
				       : TN_PLAN_DISK_LOST;
	}
	return machine ? TN_PLAN_DISK_UNTOLD : TN_PLAN_DISK_NONE;
}

/* Where the plan does not show the switch, the sentence about the machine says so (sentence.c):
 * nothing was found. */
void tn_plan_risk_root_disk(struct tn_plan_risks *risks)
{
	if (tn_plan_root_disk_fate(risks->entry) == TN_PLAN_DISK_LOST)
		tn_plan_risk_add_fact(risks, TN_PLAN_RULE_DATA_REPLACE, TN_PLAN_RISK_HIGH,
				      "What is on its root disk is lost.", NULL,
				      TN_STR("root disk"));
}
