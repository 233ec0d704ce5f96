/** docs/collections.md: what a client of the dialect finds in each collection and may write to it. */
import { documentCollections } from '#server/appwrite/document-collections.ts'
import type { DocumentCollection, Field, Write } from '#server/appwrite/document-fields.ts'

export function collectionsPage(): string {
  return `# The nine collections

What a client of the dialect finds in database \`main\` ([appwrite.md](appwrite.md)): the attributes of each collection, the
documents nested in them, what a body may say of them, whether a query may compare them and order by them (her own
\`accountId\` and \`email\` alone). Every document also has \`$id\`, \`$createdAt\`,
\`$updatedAt\`, \`$permissions\`, \`$databaseId\` and \`$collectionId\`; the first three can be asked for and ordered by
everywhere. What is said to be the server’s is accepted in a body and ignored. Made of the definitions by \`npm run docs\`.

${Object.values(documentCollections).map(section).join('\n')}`
}

const section = ({ name, fields }: DocumentCollection) => `## ${name}

| attribute | nested | in a body | asked | ordered |
|---|---|---|---|---|
${Object.entries(fields)
  .map(([attribute, field]) => `| ${[`\`${attribute}\``, ...cellsOf(field)].join(' | ')} |`)
  .join('\n')}
`

const cellsOf = ({ relation, query, write }: Field) => [
  nested(relation),
  inBody(write),
  query ? 'yes' : '–',
  query?.order ? 'yes' : '–',
]

function nested(relation: Field['relation']): string {
  if (!relation) return '–'
  if (!relation.edges) return `a document of \`${relation.target}\``
  return `documents of \`${relation.target}\`${relation.ownOnly ? ', hers alone' : ''}`
}

function inBody(write: Write): string {
  switch (write.as) {
    case 'derived':
      return 'the server’s'
    case 'refused':
      return 'refused'
    case 'kept':
      return 'the server’s, and may be repeated'
    case 'constant':
      return `always \`${write.value}\``
    case 'value':
      return [need(write.blank), ...once(write)].join(', ')
    case 'actor':
      return 'the id of who writes, or absent'
    case 'reference':
      return [write.nullable ? 'an id, or null' : 'an id, required', ...once(write)].join(', ')
    case 'picture':
      return `the id of a finished upload of hers${write.required ? ', required' : ', or null'}`
    case 'state':
      return `begins as \`${write.first}\`; then ${write.entered.map((state) => `\`${state}\``).join(' or ')}`
    case 'pair':
      return 'the ids of two members, one of them who writes; required at creation'
    case 'link':
      return 'a list of ids, in which only her own changes'
  }
}

const need = (blank: unknown) =>
  blank === undefined ? 'required' : `\`${JSON.stringify(blank)}\` where absent`

const once = ({ fixed }: { fixed?: true }) => (fixed ? ['at creation only'] : [])
