/* A bot in C without any library: it plays the last legal action of each decision.
 *
 * cc -O2 -o last_bot examples/bots/last_bot.c
 * python evaluate.py "cmd:./last_bot" random --deals 10
 *
 * It reads only what it needs of a message, by looking for keys. This is enough, since it asks for
 * no texts: what the host then sends holds these keys only where docs/bots.md says.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* Returns what follows a key such as "\"id\":", NULL if it is not there. */
static const char *after(const char *text, const char *key) {
    const char *found = text ? strstr(text, key) : NULL;
    return found ? found + strlen(key) : NULL;
}

/* Returns the last number of the list that begins with [, such as 9 of [3,5,9]. */
static long last_of(const char *list) {
    long last = -1;
    char *end = NULL;
    for (const char *at = list + 1; *at && *at != ']'; at = *end == ',' ? end + 1 : end) {
        last = strtol(at, &end, 10);
        if (end == at)
            break;
    }
    return last;
}

/* Writes the last legal action of each decision of a message. */
static void decide(const char *message, long id) {
    const char *separator = "";
    printf("{\"id\":%ld,\"actions\":[", id);
    for (const char *at = after(message, "\"legal\":"); at; at = after(at, "\"legal\":")) {
        printf("%s%ld", separator, last_of(at));
        separator = ",";
    }
    printf("]}\n");
}

/* Writes the last legal actions of those decisions that the host calls wrong. */
static void repeat(const char *asked, const char *message, long id) {
    const char *separator = "";
    printf("{\"id\":%ld,\"actions\":[", id);
    for (const char *at = after(message, "\"index\":"); at; at = after(at, "\"index\":")) {
        const char *legal = asked;
        for (long left = strtol(at, NULL, 10); left >= 0 && legal; left--)
            legal = after(legal, "\"legal\":");
        printf("%s%ld", separator, legal ? last_of(legal) : 0);
        separator = ",";
    }
    printf("]}\n");
}

int main(void) {
    char *line = NULL, *asked = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        const char *type = after(line, "\"type\":\""), *number = after(line, "\"id\":");
        long id = number ? strtol(number, NULL, 10) : 0;
        if (!type)
            continue;
        if (!strncmp(type, "hello\"", 6)) {
            printf("{\"type\":\"hello\",\"protocol\":1,\"name\":\"last legal\"}\n");
        } else if (!strncmp(type, "decide\"", 7)) {
            free(asked);
            asked = strdup(line);
            decide(line, id);
        } else if (!strncmp(type, "illegal\"", 8)) {
            repeat(asked ? asked : "", line, id);
        } else if (!strncmp(type, "goodbye\"", 8)) {
            break;
        }
        fflush(stdout);
    }
    free(asked);
    free(line);
    return 0;
}
