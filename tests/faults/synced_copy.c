/* Loaded before a process's libraries, it notes what a disk would still hold after a power cut.
 *
 * Each time a file below SYNCED_FROM is synced, its content is copied to the folder SYNCED_TO. What was written
 * without a sync is in no copy: put back in place of the files, the copies are the disk without those writes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void copy(int descriptor) {
  const char *from = getenv("SYNCED_FROM"), *to = getenv("SYNCED_TO");
  char link[64], path[PATH_MAX], draft[PATH_MAX + 32], target[PATH_MAX + 32], buffer[65536];
  if (!from || !to) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return;
  path[length] = 0;
  if (strncmp(path, from, strlen(from)) || path[strlen(from)] != '/') return;
  const char *name = strrchr(path, '/') + 1;
  snprintf(target, sizeof target, "%s/%s", to, name);
  snprintf(draft, sizeof draft, "%s/.%s-%d-%d", to, name, getpid(), gettid());
  int source = open(path, O_RDONLY), sink = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ssize_t count = -1;
  if (source >= 0 && sink >= 0)
    while ((count = read(source, buffer, sizeof buffer)) > 0)
      if (write(sink, buffer, count) != count) break;
  if (source >= 0) close(source);
  if (sink >= 0) close(sink);
  if (count == 0) rename(draft, target);
}

static int synced(const char *name, int descriptor) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int answer = real(descriptor);
  if (!answer) copy(descriptor);
  return answer;
}

int fsync(int descriptor) { return synced("fsync", descriptor); }
int fdatasync(int descriptor) { return synced("fdatasync", descriptor); }
