/** Generates docs/permissions.md: rules and matrix. */
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

The same as data, ${rows.length} rows with ${decided.length} cells: [scripts/docs/permission-matrix.ts](../scripts/docs/permission-matrix.ts), from
which this table is made by \`npm run docs\`. The test walks every row on every path that leads there: the document API,
the product's operations, lists, searches, nested documents, totals, every way to the bytes of an image, sockets and
catching up.

${names.map((name) => `- **${name}** ${permissionMatrixColumns[name]}`).join('\n')}

${(Object.keys(permissionOutcomeMeanings) as PermissionMatrixOutcome[]).map((cell) => `- \`${cell}\` ${permissionOutcomeMeanings[cell]}`).join('\n')}

| id | what | ${names.join(' | ')} |
|---|---|${names.map(() => '---').join('|')}|
${rows.map(([id, row]) => `| ${id} | ${row.on}: ${row.does} | ${names.map((name) => row.cells[name]).join(' | ')} |`).join('\n')}
`
}

const inWords = `
The rules in words. They are written once, in [server/policy](../server/policy/access-rules.ts), and hold in both APIs (our operations and
the Appwrite dialect), in every list, for every byte of an image and for live updates. A visitor sees nothing but sign-in and sign-up.

| what | read | create | change | delete |
|---|---|---|---|---|
| member | every member; e-mail, phone and account only the member herself | by signing up | herself: name, bio, photo | nobody |
| public post | every member; where the account was private when it was posted, or is, its creator and followers | any member, as its creator | its creator | its creator |
| post of a group | the group's members, and its creator after leaving | a member of the group | its creator, into public or a group the creator is in | its creator |
| like | whoever may read the post; of a group's post its members, others the number and their own | whoever may read the post, her own | – | her own, while she may read the post |
| save | its owner | whoever may read the post, her own | – | her own |
| follow | the two; others as far as both let their lists be seen: everyone, followers, nobody; of a private account followers at most | the follower; of a private account by approval | – | the follower or the followed |
| request to follow | the asker and who is asked, of a private account; declined it is to the asker for 30 days what it was | any member, who does not follow yet | who is asked: approve or decline while pending | the asker |
| group | its summary: every member | any member, who becomes its admin | its admin | its admin |
| membership | the group's members; her own always | only by the admin's approval | only by handing over | herself (not the admin), or the admin |
| request to join | the requester and the group's admin | any member who is not in the group | the admin: approve or reject while pending | the requester, while pending |
| conversation | its two participants; before its first message by its id alone, in no list, and live only who opened it | one of the two, not with herself; where nothing was said yet, as the other chose who may write | her own read mark; who was asked accepts or declines | nobody |
| message | the two participants | a participant, as herself; three until who was asked answers | nobody | nobody |
| file | as what it belongs to; an upload without a record, what the file was called, and changes live only its owner | any member | its owner: the name | its owner, while no record uses it |
| block | its owner | any member, of anybody in sight or in a conversation with her | its owner: newer accounts | its owner |
| mute | its owner | any member, of anybody in sight | – | its owner |
| report | its owner, without what is kept as evidence | any member, of what she can read or could in the last seven days as far as rows tell, but of nothing of her own, nor of a post that went out of sight before she came | – | nobody |
| case, with its evidence | moderators on duty, but not one about, by or of a group of the moderator, or about somebody the moderator blocked | by a report | the moderator who has claimed it: decide, once. The suspension of a moderator or operator needs another moderator, who confirms it | nobody |
| case at the desk of a group, with its evidence | the group’s admin, but not one about the admin or about a member whose account is closed or with whom there is a block, and only what was kept since the admin is in the group | by a report of a post that the admin reads as spam or out of place | the same: decide once, or pass it on | nobody |
| restriction | its owner | any member, of anybody in sight | – | its owner |

Who may begin to write to a member that member chooses: everyone, everyone but whom she does not follow asks first, people she
follows, nobody new. Who has written with her goes on. Until a request is answered it is in no list but her requests, and her read
mark stands still, as it does for good with whom she restricted; the other sees nothing of either.

What one has read the other is told while both show it, and that one is writing while both show that: of neither anything across a block or
with a closed account, in a request or with whom one restricted. Reading while either shows nothing stays untold afterwards.

Whoever does not want to be listed is in no list of members and no search; the profile is readable by its address.

A closed account is left out of all of it, with its posts, follows, memberships and requests. Its groups go to their oldest
member; one that nobody else is in is left out too. A conversation with it stays
readable for the other participant, and nobody writes there any more.

Two members of whom one has blocked the other are to each other what closed accounts are: the same answers, one clause. The
difference is known to the blocker alone: the conversation is not listed, the read mark stands still, and in a group of the
blocker's the other's posts and membership stay readable for the admin, marked, until the other blocks too.

What the caller may not read does not exist: it is a 404, and left out of lists and counts. Two answers are worded by the
product instead: a post of a group the caller is not in (403, *No tienes acceso a los posts de este grupo*), and approving or
rejecting, which says in this order that the request is missing, that the caller is not the admin, or that it was processed.
`
