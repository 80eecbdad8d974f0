#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes FILE into a comment on a pull or merge request, and replaces its earlier comment: comment.sh FILE [--old-only]
# With --old-only it makes no new comment: nothing changed, and only an earlier comment has to be replaced.
# Needs curl and jq. On GitHub it reads GITHUB_TOKEN, GITHUB_REPOSITORY and PULL_REQUEST. In GitLab CI it reads
# GITLAB_TOKEN, a project's token with the scope api, because a job's own token may not comment.
# If no comment can be written, the script prints why and still ends with 0: the token of a fork may only read. The
# artifacts hold the file as well.
set -euo pipefail
file=${1:?expected the file of the comment}
marker='<!-- vkassay -->' # our comment begins with it
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# say WHY: prints why no comment was written, and ends with 0.
say() {
    echo "comment: none was written: $*"
    exit 0
}

if [ -n "${GITHUB_REPOSITORY:-}" ]; then
    [ -n "${GITHUB_TOKEN:-}" ] || say "there is no GITHUB_TOKEN"
    [ -n "${PULL_REQUEST:-}" ] || say "PULL_REQUEST does not name a pull request"
    header="Authorization: Bearer $GITHUB_TOKEN"
    api=${GITHUB_API_URL:-https://api.github.com}/repos/$GITHUB_REPOSITORY/issues
    comments=$api/$PULL_REQUEST/comments one=$api/comments edit=PATCH
else
    [ -n "${GITLAB_TOKEN:-}" ] || say "there is no GITLAB_TOKEN"
    [ -n "${CI_MERGE_REQUEST_IID:-}" ] || say "this is no pipeline of a merge request"
    header="PRIVATE-TOKEN: $GITLAB_TOKEN"
    comments=$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes one=$comments edit=PUT
fi

# ask METHOD URL [CURL OPTIONS]: writes the answer to $scratch/answer. Any status but 2xx ends the script with 0.
ask() {
    local method=$1 url=$2 status
    shift 2
    printf 'header = "%s"\n' "$header" >"$scratch/header" # other users could see it on a command line
    status=$(curl -sS -X "$method" -K "$scratch/header" -H 'Content-Type: application/json' -o "$scratch/answer" \
        -w '%{http_code}' "$@" "$url") || say "$method $url: curl ended with $?"
    case $status in
    2??) ;;
    401 | 403 | 404) say "$method $url gave $status: the token may not (one of a fork only reads)" ;;
    *) say "$method $url gave $status" ;;
    esac
}

# Sets `found` to the id of our comment; empty if there is none.
find_comment() {
    local page id
    for page in {1..50}; do
        ask GET "$comments?per_page=100&page=$page"
        id=$(jq -r --arg marker "$marker" 'map(select(.body // "" | startswith($marker)))[0].id // empty' \
            "$scratch/answer")
        [ -z "$id" ] || break
        [ "$(jq length "$scratch/answer")" = 100 ] || break
    done
    found=$id
}

# GitHub accepts at most 65536 characters.
most=60000
{
    echo "$marker"
    head -c "$most" "$file"
    [ "$(wc -c <"$file")" -le "$most" ] || printf '\n\n(Cut here: the whole is in the artifacts.)\n'
} | jq -Rs '{body: .}' >"$scratch/body"
find_comment
if [ -n "$found" ]; then
    ask "$edit" "$one/$found" --data-binary "@$scratch/body"
elif [ "${2:-}" = --old-only ]; then
    say "nothing changed"
else
    ask POST "$comments" --data-binary "@$scratch/body"
fi
