/* risk_disk.c - machines that go: what is on their disks goes with them, unless a switch keeps it.
 */
#include "apps/plan/explain/risk_rules.h"
#include "apps/plan/explain/turn.h"
#include "base/size.h"

/* Machines that have disks of their own, and what says whether these stay; those that the table of
 * types calls stateful are told as that. */
static const struct disk {
	const char *type;
	const char *block, *name; /* of the switch; NULL: there is none */
	bool kept_when_on;
	bool of_data; /* not the one that it starts from */
} disks[] = {
	{"aws_instance", "root_block_device", "delete_on_termination", false, false},
	{"aws_instance", "ebs_block_device", "delete_on_termination", false, true},
	{"aws_spot_instance_request", "root_block_device", "delete_on_termination", false, false},
	{"aws_spot_instance_request", "ebs_block_device", "delete_on_termination", false, true},
	{"google_compute_instance", "boot_disk", "auto_delete", false, false},
	{"google_compute_instance_from_template", "boot_disk", "auto_delete", false, false},
	{"azurerm_linux_virtual_machine", NULL, NULL, false, false},
	{"azurerm_windows_virtual_machine", NULL, NULL, false, false},
	{"azurerm_virtual_machine", "", "delete_os_disk_on_termination", false, false},
	{"azurerm_virtual_machine", "", "delete_data_disks_on_termination", false, true},
	{"yandex_compute_instance", "boot_disk", "auto_delete", false, false},
	{"yandex_compute_instance", "secondary_disk", "auto_delete", false, true},
	{"oci_core_instance", "", "preserve_boot_volume", true, false},
	{"oci_core_instance", "", "preserve_data_volumes_created_at_launch", true, true},
	{"openstack_compute_instance_v2", "block_device", "delete_on_termination", false, false},
	{"scaleway_instance_server", "root_volume", "delete_on_termination", false, false},
	{"alicloud_instance", NULL, NULL, false, false},
	{"alicloud_instance", "data_disks", "delete_with_instance", false, true},
	{"digitalocean_droplet", NULL, NULL, false, false},
	{"hcloud_server", NULL, NULL, false, false},
	{"ibm_is_instance", "boot_volume", "auto_delete_volume", false, false},
	{"linode_instance", NULL, NULL, false, false},
	{"proxmox_virtual_environment_vm", NULL, NULL, false, false},
	{"tencentcloud_instance", NULL, NULL, false, false},
	{"tencentcloud_instance", "data_disks", "delete_with_instance", false, true},
	{"vultr_instance", NULL, NULL, false, false},
};

static const struct disk *find_disk(struct tn_str type, bool of_data)
{
	for (size_t i = 0; i < TN_COUNT(disks); i++)
		if (tn_str_is(type, disks[i].type) && disks[i].of_data == of_data)
			return &disks[i];
	return NULL;
}

static bool is_switch(const struct disk *disk, struct tn_str path)
{
	struct tn_plan_path split = tn_plan_path_split(path);

	return disk && disk->name && tn_str_is(split.name, disk->name) &&
	       tn_str_is(tn_plan_path_root(split.owner), disk->block);
}

bool tn_plan_is_disk_switch(struct tn_str type, struct tn_str path)
{
	return is_switch(find_disk(type, false), path) || is_switch(find_disk(type, true), path);
}

/* As it was: that decides when the old machine goes. */
enum tn_plan_disk_fate tn_plan_root_disk_fate(const struct tn_plan_entry *entry)
{
	const struct disk *disk = find_disk(entry->type, false);
	struct tn_str text;

	for (uint32_t i = 0; disk && disk->name && i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *at = &entry->attributes.items[i];

		if (is_switch(disk, at->path) && tn_plan_side_text(at, TN_PLAN_BEFORE, &text))
			return tn_str_is(text, disk->kept_when_on ? "true" : "false")
				       ? TN_PLAN_DISK_NONE
				       : TN_PLAN_DISK_LOST;
	}
	return disk ? TN_PLAN_DISK_UNTOLD : TN_PLAN_DISK_NONE;
}

/* One of them, by what the plan shows. */
static bool data_disks_go(const struct tn_plan_entry *entry)
{
	const struct disk *disk = find_disk(entry->type, true);
	struct tn_str text;

	for (uint32_t i = 0; disk && i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *at = &entry->attributes.items[i];

		if (is_switch(disk, at->path) && tn_plan_side_text(at, TN_PLAN_BEFORE, &text) &&
		    tn_str_is(text, disk->kept_when_on ? "false" : "true"))
			return true;
	}
	return false;
}

void tn_plan_risk_delete_with_disks(struct tn_plan_risks *risks)
{
	static const struct {
		const char *detail, *fact;
	} fates[][2] = {
		[TN_PLAN_DISK_NONE] = {{"It is deleted, and what relies on it stops working.", ""},
				       {"It is deleted with its data disks, and what relies on it "
					"stops working.",
					"with its data disks"}},
		[TN_PLAN_DISK_LOST] = {{"It is deleted with its root disk, and what relies on it "
					"stops working.",
					"with its root disk"},
				       {"It is deleted with its disks, and what relies on it stops "
					"working.",
					"with its disks"}},
		[TN_PLAN_DISK_UNTOLD] =
			{{"It is deleted with its root disk, unless that is set to be kept, and "
			  "what relies on it stops working.",
			  "with its root disk, unless that is set to be kept"},
			 {"It is deleted with its data disks, and with its root disk, unless that "
			  "is set to be kept, and what relies on it stops working.",
			  "with its data disks, and with its root disk, unless that is set to be "
			  "kept"}},
	};
	enum tn_plan_disk_fate fate = tn_plan_root_disk_fate(risks->entry);
	bool data = data_disks_go(risks->entry);

	tn_plan_risk_add_fact(risks, TN_PLAN_RULE_DELETE, TN_PLAN_RISK_HIGH,
			      fates[fate][data].detail, NULL, tn_str_from(fates[fate][data].fact));
}

/* Where the plan does not show the switch, the sentence about the machine says so (sentence.c):
 * nothing was found. */
void tn_plan_risk_replaced_disks(struct tn_plan_risks *risks)
{
	bool root = tn_plan_root_disk_fate(risks->entry) == TN_PLAN_DISK_LOST;
	bool data = data_disks_go(risks->entry);

	if (root && data)
		tn_plan_risk_add_fact(risks, TN_PLAN_RULE_DATA_REPLACE, TN_PLAN_RISK_HIGH,
				      "What is on its disks is lost.", NULL, TN_STR("disks"));
	else if (root || data)
		tn_plan_risk_add_fact(risks, TN_PLAN_RULE_DATA_REPLACE, TN_PLAN_RISK_HIGH,
				      root ? "What is on its root disk is lost."
					   : "What is on its data disks is lost.",
				      NULL, tn_str_from(root ? "root disk" : "data disks"));
}
