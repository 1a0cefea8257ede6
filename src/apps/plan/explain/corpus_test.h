/* corpus_test.h - the labelled changes of tests/data/plan-corpus, each as the plan that Terraform
 * would print and as the plan that it would write as JSON. Test code only. */
#ifndef TN_PLAN_CORPUS_TEST_H
#define TN_PLAN_CORPUS_TEST_H

#include "base/buf.h"
#include "jsonrpc/json.h"
#include "jsonrpc/json_write.h"

struct corpus_change {
	bool dangerous;
	struct tn_str name, type, action;
	const struct tn_json *before, *after, *unknown, *forced; /* NULL: the line is not there */
	struct tn_str text_words, json_words;                    /* its sentence; absent: any */
};

/* Calls `take` for each change of the file; everything it is given lives for that call only. */
void corpus_for_each(const char *file,
		     void (*take)(const struct corpus_change *change, void *context),
		     void *context);

/* The same change as `terraform show` prints it, and as `terraform show -json` writes it. */
void corpus_put_text(struct tn_buf *out, const struct corpus_change *change);
void corpus_put_json(struct tn_buf *out, const struct corpus_change *change);

/* "policy~json": a document that is kept as a string. */
bool corpus_is_document(struct tn_str key);
struct tn_str corpus_plain_key(struct tn_str key);

#endif
