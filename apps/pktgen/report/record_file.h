/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_RECORD_FILE_H
#define PKTGEN_RECORD_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/exit.h"

/**
 * struct record_file - a file of lines for programs. Each line is written at once, so the file has
 * only complete lines even if the program ends early
 * @option: name of the option that gave the path, without "--"
 * @path: the path; NULL: not in use
 * @fd: -1: not open
 * @is_new: record_file_open() created the file
 * @has_begun: record_file_begin() was called
 * @failed: a write failed; nothing more is written
 */
struct record_file {
	const char *option, *path;
	int fd;
	bool is_new, has_begun, failed;
};

/**
 * record_file_open - open or create the file, or use stdout for path "-"
 * @f: to be filled
 * @option: name of the option
 * @path: the path, "-", or NULL for no file
 *
 * An existing file keeps its content until record_file_begin(). With "-", whatever the program
 * prints to stdout later goes to stderr.
 *
 * Return: PKTGEN_MET; or PKTGEN_REPORT after one line on stderr
 */
enum pktgen_exit record_file_open(struct record_file *f, const char *option, const char *path);

/**
 * record_file_begin - remove the old content of the file; does nothing without a file
 *
 * Return: PKTGEN_MET; or PKTGEN_REPORT after one line on stderr
 */
enum pktgen_exit record_file_begin(struct record_file *f);

/**
 * record_file_write - write one or more complete lines; does nothing without a file
 *
 * Return: PKTGEN_MET; or PKTGEN_REPORT if this or an earlier write failed. The first failure prints
 * one line on stderr
 */
enum pktgen_exit record_file_write(struct record_file *f, const char *text, size_t bytes);

/**
 * record_file_close - close the file, and remove it if it is new and record_file_begin() was not
 * called
 *
 * Return: as record_file_write()
 */
enum pktgen_exit record_file_close(struct record_file *f);

#endif
