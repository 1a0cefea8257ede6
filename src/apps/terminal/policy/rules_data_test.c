/* Data that ends: disks, stores, machines of a cloud, branches (docs/policy.md): asked about or
 * denied, and what looks alike is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/terminal/policy/rules_kit.h"
#include "base/size.h"

static const struct tn_rules_row data[] = {
	/* disks */
	{"nvme format /dev/nvme0n1", NULL},
	{"nvme format -s1 /dev/nvme0", NULL},
	{"nvme sanitize /dev/nvme0", NULL},
	{"nvme delete-ns /dev/nvme0 -n 1", NULL},
	{"ddrescue -f x.img /dev/sdb", NULL},
	{"ddrescue --force /dev/sda /dev/sdb log", NULL},
	{"dcfldd if=x of=/dev/sdb", NULL},
	{"dc3dd if=x of=/dev/sdb", NULL},
	{"pv x.img -o /dev/sdb", NULL},
	{"sg_format --format /dev/sg1", NULL},
	{"sg_sanitize /dev/sg1", NULL},
	{"badblocks -w /dev/sdb", NULL},
	{"mdadm --zero-superblock /dev/sdb1", NULL},
	{"bmaptool copy x.img /dev/sdb", NULL},
	{"partclone.ext4 -r -s x -o /dev/sdb1", NULL},
	{"xorriso -outdev /dev/sr0 -blank all", NULL},
	{"flashrom -w x.bin", NULL},
	/* stores */
	{"redis-cli --scan | xargs redis-cli del", NULL},
	{"redis-cli --scan --pattern '*' | xargs -L 100 redis-cli unlink", NULL},
	{"redis-cli KEYS '*' | xargs redis-cli DEL", NULL},
	{"redis-cli EVAL \"return redis.call('flushall')\" 0", NULL},
	{"redis-cli eval \"redis.call('FLUSHDB')\" 0", NULL},
	{"valkey-cli --scan | xargs valkey-cli del", NULL},
	{"redis-cli SHUTDOWN NOSAVE", NULL},
	{"redis-cli CONFIG SET dir /var/spool/cron", NULL},
	{"memcflush --servers=localhost", NULL},
	{"echo flush_all | nc localhost 11211", NULL},
	{"etcdctl del --prefix ''", NULL},
	{"mongosh --eval 'db.dropDatabase()'", NULL},
	/* warehouses and databases */
	{"bq rm -r -f dataset", NULL},
	{"bq rm -t d.t", NULL},
	{"bq query \"drop table d.t\"", NULL},
	{"bq query --use_legacy_sql=false 'DELETE FROM d.t WHERE true'", NULL},
	{"bq query 'truncate table d.t'", NULL},
	{"bq load --replace d.t x.csv", NULL},
	{"snowsql -q \"drop table t\"", NULL},
	{"snow sql -q \"DROP DATABASE x\"", NULL},
	{"snowsql -q 'truncate table t'", NULL},
	{"usql pg://x -c 'drop table t'", NULL},
	{"pgcli -e 'drop table t' x", NULL},
	{"mycli -e 'DROP TABLE t' x", NULL},
	{"litecli -e 'drop table t' x.db", NULL},
	{"sqlplus u/p@x <<< 'drop table t;'", NULL},
	{"isql x <<< 'delete from t;'", NULL},
	{"trino --execute 'drop table t'", NULL},
	{"presto --execute 'drop table t'", NULL},
	{"beeline -e 'drop table t'", NULL},
	{"hive -e 'drop database x cascade'", NULL},
	{"spark-sql -e 'drop table t'", NULL},
	{"aws athena start-query-execution --query-string 'drop table t'", NULL},
	{"aws redshift-data execute-statement --sql 'DROP TABLE t'", NULL},
	{"aws rds-data execute-statement --sql 'delete from t'", NULL},
	{"gcloud spanner databases execute-sql d --sql='delete from t where true'", NULL},
	{"wrangler d1 execute x --command 'drop table t'", NULL},
	{"turso db shell x 'drop table t'", NULL},
	{"clickhouse client -q 'drop table t'", NULL},
	{"duckdb x.db -c 'drop table t'", NULL},
	{"impala-shell -q 'drop table t'", NULL},
	{"hdfs dfs -rm -r /data", NULL},
	{"hadoop fs -rm -r /data", NULL},
	{"hdfs dfs -expunge", NULL},
	{"nodetool decommission", NULL},
	{"ceph osd pool delete a a --yes-i-really-really-mean-it", NULL},
	{"rados purge p", NULL},
	{"gluster volume delete v", NULL},
	/* keys and machines of a cloud */
	{"aws kms schedule-key-deletion --key-id x", NULL},
	{"aws kms disable-key --key-id x", NULL},
	{"aws ec2 stop-instances --instance-ids x", NULL},
	{"aws ec2 release-address --allocation-id x", NULL},
	{"aws ec2 detach-volume --volume-id x", NULL},
	{"aws s3api put-bucket-lifecycle-configuration --bucket x", NULL},
	{"aws cloudtrail stop-logging --name x", NULL},
	{"aws organizations close-account --account-id x", NULL},
	{"gcloud kms keys versions destroy 1 --key k", NULL},
	{"gcloud compute instances stop x", NULL},
	{"az vm deallocate -n x", NULL},
	{"az keyvault purge --name x", NULL},
	{"qm destroy 100", NULL},
	{"qm stop 100", NULL},
	{"qm rollback 100 snap", NULL},
	{"pct destroy 100", NULL},
	{"pct stop 100", NULL},
	{"pvesh delete /nodes/x/qemu/100", NULL},
	{"xe vm-destroy uuid=x", NULL},
	{"govc vm.destroy x", NULL},
	{"VBoxManage unregistervm x --delete", NULL},
	{"vboxmanage controlvm x poweroff", NULL},
	{"virsh destroy x", NULL},
	{"openstack server delete x", NULL},
	{"nova delete x", NULL},
	{"esxcli vm process kill", NULL},
	{"talosctl reset", NULL},
	{"k3s-uninstall.sh", NULL},
	{"kubeadm reset -f", NULL},
	{"rke2-killall.sh", NULL},
	{"argocd app delete x", NULL},
	{"flux delete kustomization x", NULL},
	{"istioctl uninstall --purge", NULL},
	{"lxc-destroy -n x", NULL},
	{"machinectl remove x", NULL},
	/* addresses */
	{"curl -X DELETE http://localhost.example.com/x", NULL},
	{"curl -X DELETE 'https://x.example/a?b=127.0.0.1'", NULL},
	{"curl -X DELETE https://x.example/*", NULL},
	/* git */
	{"git checkout -B main origin/main", NULL},
	{"git checkout -B main HEAD~3", NULL},
	{"git switch -C main HEAD~3", NULL},
	{"git switch -Cmain", NULL},
	{"git checkout -qB feature main", NULL},
	{"git checkout -Bmain origin/main", NULL},
	{"b=main; git switch -C $b", NULL},
	{"git switch --force-create=main", NULL},
	{"git -C tmp checkout -B main origin/main", NULL},
	{"git checkout -B main tmp/x", NULL},
	{"git checkout -B temp -B main x", NULL},
	{"git switch -C main temp", NULL},
	{"git switch --force-create main tmp", NULL},
	{"git switch --force-create main HEAD~3", NULL},
	{"git update-ref refs/heads/main HEAD~3", NULL},
	{"git update-ref HEAD abc123", NULL},
	{"echo 'delete refs/heads/main' | git update-ref --stdin", NULL},
	{"git fetch origin +main:main", NULL},
	{"git fetch origin '+refs/heads/*:refs/heads/*'", NULL},
	{"git fetch -f origin main:main", NULL},
	{"git fetch --force origin main:main", NULL},
	{"git fetch origin main:main --force", NULL},
	{"git pull --force origin main:main", NULL},
	{"git pull origin +main:main", NULL},
	{"git branch -M old main", NULL},
	{"git branch -C old main", NULL},
	{"git branch --move --force a b", NULL},
	{"git worktree add -B main ../x HEAD~3", NULL},
	{"git worktree add -f -B main ../x", NULL},
	{"git replace -f a b", NULL},
	{"git replace --delete a", NULL},
	{"git repack -ad && git prune-packed && git prune", NULL},
};

/* What looks alike. */
static const struct tn_rules_row alike[] = {
	{"git checkout -B temp master", NULL},
	{"git checkout -Btmp2 master", NULL},
	{"curl -X DELETE http://localhost:3000/x", NULL},
	{"curl -X DELETE http://[::1]:3000/x", NULL},
	{"http DELETE :3000/x", NULL},
	{"git switch -C tmp/x master", NULL},
	{"git -C ../sub switch -C tmp/x master", NULL},
	{"git switch --force-create=temp master", NULL},
	{"git -C ../sub switch main", NULL},
	{"git branch -M main", NULL},
	{"redis-cli del session:1", NULL},
	{"git fetch -f origin", NULL},
	{"git pull --rebase --autostash origin main", NULL},
	{"git fetch git@github.com:x/y main", NULL},
	{"nvme list", NULL},
	{"nvme smart-log /dev/nvme0", NULL},
	{"ddrescue /dev/sdb x.img x.map", NULL},
	{"redis-cli get x", NULL},
	{"redis-cli --scan", NULL},
	{"redis-cli KEYS '*'", NULL},
	{"redis-cli EVAL \"return redis.call('get', KEYS[1])\" 1 x", NULL},
	{"redis-cli set a b", NULL},
	{"redis-cli info", NULL},
	{"bq ls", NULL},
	{"bq query 'select 1'", NULL},
	{"bq show d.t", NULL},
	{"snowsql -q 'select 1'", NULL},
	{"aws kms describe-key --key-id x", NULL},
	{"aws ec2 describe-instances", NULL},
	{"gcloud compute instances list", NULL},
	{"qm list", NULL},
	{"qm status 100", NULL},
	{"pct list", NULL},
	{"pct config 100", NULL},
	{"hdfs dfs -ls /", NULL},
	{"helm list", NULL},
	{"trino --execute 'select 1'", NULL},
	{"pgcli -l", NULL},
	{"virsh list", NULL},
	{"VBoxManage list vms", NULL},
	{"ceph status", NULL},
	{"git checkout -b x", NULL},
	{"git checkout -b x origin/main", NULL},
	{"git switch -c x", NULL},
	{"git switch main", NULL},
	{"git fetch origin", NULL},
	{"git fetch origin main", NULL},
	{"git fetch origin main:main", NULL},
	{"git fetch origin +refs/heads/main:refs/remotes/origin/main", NULL},
	{"git fetch origin '+refs/heads/*:refs/remotes/origin/*'", NULL},
	{"git fetch origin pull/12/head:pr-12", NULL},
	{"git fetch --prune --tags --force", NULL},
	{"git fetch --all -f", NULL},
	{"git pull origin main", NULL},
	{"git branch -m new", NULL},
	{"git branch -m old new", NULL},
	{"git symbolic-ref --short HEAD", NULL},
	{"git symbolic-ref HEAD", NULL},
	{"git update-ref --help", NULL},
	{"git worktree add -b x ../x", NULL},
	{"git config user.email x@y", NULL},
	{"git config --get core.hooksPath", NULL},
	{"git replace -l", NULL},
};

static void run(const struct tn_rules_row *rows, size_t count, tn_rules_expect_fn *expect)
{
	struct tn_rules *rules = tn_rules_of(NULL);

	tn_rules_rows(rules, rows, count, expect);
	tn_rules_destroy(rules);
}

static void test_data(void **state)
{
	(void)state;
	run(data, TN_COUNT(data), tn_rules_stopped);
}

static void test_alike(void **state)
{
	(void)state;
	run(alike, TN_COUNT(alike), tn_rules_allowed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
