/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_FORMS_H
#define COLLECT_KINETO_FORMATS_FORMS_H

#include "collect-kineto/formats/vocabulary.h"

/*
 * What a file is that is not read as a trace, and what to do with it, by its first bytes; see
 * "forms" in vocabulary.json. NULL: unknown. Borrowed from the vocabulary.
 */
const char *FormOfFile(const Vocabulary *vocabulary, const char *path);

/* The same of bytes that a file begins with. */
const char *FormOf(const Vocabulary *vocabulary, const char *bytes, size_t size);

#endif
