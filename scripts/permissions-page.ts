/** docs/permissions.md: the rules in words, and the matrix that the tests walk. */
import { type Cell, type Column, cells, columns, matrix, type Row } from '#tests/authorization/table.ts'

export function permissionsPage(): string {
  const rows = Object.entries<Row>(matrix)
  const decided = rows.flatMap(([, row]) => Object.values(row.cells)).filter((cell) => cell !== '-')
  const names = Object.keys(columns) as Column[]
  return `# Who may do what

${inWords.trim()}

## The matrix

The same as data, ${rows.length} rows with ${decided.length} cells: [tests/authorization/table.ts](../tests/authorization/table.ts), from
which this table is made by \`npm run docs\`. The test walks every row on every path that leads there: the document door,
the product's operations, lists, searches, nested documents, totals, every way to the bytes of a picture, sockets and
catching up.

${names.map((name) => `- **${name}** ${columns[name]}`).join('\n')}

${(Object.keys(cells) as Cell[]).map((cell) => `- \`${cell}\` ${cells[cell]}`).join('\n')}

| id | what | ${names.join(' | ')} |
|---|---|${names.map(() => '---').join('|')}|
${rows.map(([id, row]) => `| ${id} | ${row.on}: ${row.does} | ${names.map((name) => row.cells[name]).join(' | ')} |`).join('\n')}
`
}

const inWords = `
The rules in words. They are written once, in [server/policy.ts](../server/policy.ts), and hold at both doors, in every
list, for every byte of a picture and for live updates. A visitor sees nothing but sign-in and sign-up.

| what | read | create | change | delete |
|---|---|---|---|---|
| member | every member; her e-mail, phone and account only herself | by signing up | herself: name, bio, photo | nobody |
| public post | every member | herself, as its creator | its creator | its creator |
| post of a group | the group's members, and its creator after leaving | a member of the group | its creator, into public or a group she is in | its creator |
| like | who may read the post | who may read the post, her own | – | her own, while she may read the post |
| save | herself | who may read the post, her own | – | her own |
| follow | every member | the follower | – | the follower or the followed |
| group | its summary: every member | any member, who becomes its admin | its admin | its admin |
| membership | the group's members; her own always | only by the admin's approval | only by handing over | herself (not the admin), or the admin |
| request to join | the asker and the group's admin | herself | the admin: approve or reject while pending | the asker, while pending |
| conversation | its two participants | one of the two, not with herself | her own read mark | nobody |
| message | the two participants | a participant, as herself | nobody | nobody |
| file | as what it belongs to; an upload without a record only its owner | any member | its owner: the name | its owner, while no record uses it |

Who closed her account is in none of it: not she, nor her posts, follows, memberships and requests. A conversation with her
stays the other's to read, and nobody writes there any more.

What one may not read does not exist: it is answered with 404 and left out of lists and counts. Two answers are worded by
the product instead: a post of a group one is not in (403, *No tienes acceso a los posts de este grupo*), and approving or
rejecting, which says in this order that the request is missing, that one is not the admin, or that it was processed.
`
