import {
  type PermissionMatrixColumn,
  type PermissionMatrixOutcome,
  type PermissionMatrixRow,
  permissionMatrix,
  permissionMatrixColumns,
  permissionOutcomeMeanings,
} from './permission-matrix.ts'

export function renderPermissionsPage(): string {
  const rows = Object.entries<PermissionMatrixRow>(permissionMatrix)
  const decided = rows.flatMap(([, row]) => Object.values(row.cells)).filter((cell) => cell !== '-')
  const names = Object.keys(permissionMatrixColumns) as PermissionMatrixColumn[]
  return `# Who may do what

${inWords.trim()}

## The matrix

The same rules as data, ${rows.length} rows with ${decided.length} cells. \`npm run docs\` generates the table from
[scripts/docs/permission-matrix.ts](../scripts/docs/permission-matrix.ts). A test checks every row on every path: the documents API, the
product's operations, lists, searches, nested documents, totals, all addresses of an image, sockets and catch-up.

${names.map((name) => `- **${name}** ${permissionMatrixColumns[name]}`).join('\n')}

${(Object.keys(permissionOutcomeMeanings) as PermissionMatrixOutcome[]).map((cell) => `- \`${cell}\` ${permissionOutcomeMeanings[cell]}`).join('\n')}

| id | what | ${names.join(' | ')} |
|---|---|${names.map(() => '---').join('|')}|
${rows.map(([id, row]) => `| ${id} | ${row.on}: ${row.does} | ${names.map((name) => row.cells[name]).join(' | ')} |`).join('\n')}
`
}

const inWords = `
The rules in words. They are written once, in [server/policy](../server/policy/access-rules.ts), and hold in both APIs (the product's
operations and the Appwrite API), in every list, for every byte of an image and for live updates. A visitor sees only sign-in and sign-up.

| what | read | create | change | delete |
|---|---|---|---|---|
| member | every member; email, phone and account id only the member herself | by signing up | herself: name, bio, photo | nobody |
| public post | every member; if the account is private, or was when the post was created, only the creator and followers | any member, as its creator | its creator | its creator |
| post of a group | the group's members, and its creator after leaving | a member of the group | its creator: to public, or to a group of which the creator is a member | its creator |
| like | members who can read the post; for a group's post its members, and others see the number and their own like | a member who can read the post, as herself | – | its owner, while she can read the post |
| save | its owner | a member who can read the post, as herself | – | its owner |
| follow | the follower and the followed; others if both members' lists are visible to them (everyone, followers or nobody; a private account's at most to followers) | the follower; for a private account by approval | – | the follower or the followed |
| follow request | its sender and the owner of the private account; a declined request looks pending to its sender for 30 days | any member who does not follow yet | the owner of the account, while pending: approve or decline | its sender |
| group | its summary: every member | any member, who becomes its admin | its admin | its admin |
| membership | the group's members; the member herself always | only by the admin's approval | only by handing the group over | the member herself (not the admin), or the admin |
| request to join | its sender and the group's admin | any member who is not in the group | the admin, while pending: approve or reject | its sender, while pending |
| conversation | its two participants; before the first message by id only, in no list, and live only to the participant who opened it | one of the two, with another member; before the first message as the recipient chose who may write | each participant her own read mark; the recipient accepts or declines a request | nobody |
| message | the two participants | a participant, as herself; at most three until the recipient answers | nobody | nobody |
| file | as the record it is attached to; an unattached upload, the original file name and live changes only its owner | any member | its owner: the name | its owner, while no record uses it |
| block | its owner | any member, of a member visible to her or in a conversation with her | its owner: newer accounts | its owner |
| mute | its owner | any member, of a member visible to her | – | its owner |
| report | its owner, without the evidence | any member, about content of others that she can read, or could read in the last seven days as far as the database shows; not about a post hidden before she joined | – | nobody |
| case, with its evidence | moderators on duty; not a moderator whom the case is about, who reported it, whose group it concerns, or who blocked the person concerned | by a report | the moderator who claimed it: decide, once. The suspension of a moderator or operator is only proposed; a second moderator or an operator must confirm it, and both must be independent of each other and must not have reported the person concerned | nobody |
| case in the review queue of a group, with its evidence | the group’s admin, only with evidence stored since the admin joined the group; not a case about the admin, about a member whose account is closed, or about a member with a block between them | by a report that the admin can read: spam or off-topic | the admin: decide once, or pass it on | nobody |
| restriction | its owner | any member, of a member visible to her | – | its owner |

Each member chooses who may start a conversation: everyone; everyone, but people whom she does not follow send a request; people she
follows; or nobody new. Existing conversations continue. A pending request appears only in her list of requests, and her read mark does
not move. In a conversation with a restricted member it never moves. The sender cannot see either.

Read receipts and typing indicators work only while both participants have turned them on. They never work across a block, with a closed
account, in a request, or with a restricted member. A stranger's typing indicator appears only after the recipient answered or accepted.
A message that was read while one of them was off never shows a receipt later.

A member who does not want to be listed appears in no list of members and no search. Her profile is readable by its address.

A closed account is hidden everywhere, with its posts, follows, memberships and requests. Its groups pass to their longest-standing
member; a group without other members is hidden too. The other participant can still read a conversation with it, and nobody can write
there.

Two members with a block between them see each other as closed accounts: the same responses, from the same clause. Only the blocker can
notice a difference: the conversation is not listed, and the read mark does not move. In a group whose admin is the blocker, the admin
still sees the other member's posts and membership, marked, unless the other member blocks the admin too.

A record that the caller may not read does not exist for the caller: it answers 404 and is left out of lists and counts. There are two
exceptions. A post of a group of which the caller is not a member answers 403, *No tienes acceso a los posts de este grupo*. Approving
and rejecting check in this order: the request is missing, the caller is not the admin, the request was already processed.
`
