/* tenon.h - everything libtenon offers, in one include. */
#ifndef TENON_TENON_H
#define TENON_TENON_H

#include "tenon/app.h"
#include "tenon/client.h"
#include "tenon/error.h"
#include "tenon/result.h"
#include "tenon/server.h"
#include "tenon/tool.h"

#endif
