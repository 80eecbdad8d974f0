// SPDX-License-Identifier: Apache-2.0
// Text from a file in XML 1.0. Private to harness/render.
#ifndef VKASSAY_RENDER_XML_H
#define VKASSAY_RENDER_XML_H

#include "../../base/text.h"

// Escapes what would end the text, and leaves out what XML cannot hold. Line ends in an attribute are written as
// references, or a reader makes spaces of them.
void put_xml(struct text *out, const char *string, bool attribute);

#endif
