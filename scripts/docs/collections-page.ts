import { documentCollections } from '#server/appwrite/documents/document-collections.ts'
import type {
  DocumentCollection,
  DocumentFieldDefinition,
  FieldWriteRule,
} from '#server/appwrite/documents/field-definitions.ts'

export function renderCollectionsPage(): string {
  return `# The ten collections

The collections of database \`main\` in the Appwrite API ([appwrite.md](appwrite.md)). For each attribute the tables show its
nested documents, what a request body may contain, and whether queries may filter and order by it. Only the caller's own
\`accountId\` and \`email\` can be queried. Every document also has \`$id\`, \`$createdAt\`, \`$updatedAt\`, \`$permissions\`,
\`$databaseId\` and \`$collectionId\`; every collection can be queried and ordered by the first three. The server accepts and
ignores the attributes that it sets itself. \`npm run docs\` generates this page from the definitions.

${Object.values(documentCollections).map(section).join('\n')}`
}

const section = ({ name, fields }: DocumentCollection) => `## ${name}

| attribute | nested | in a body | queried | ordered |
|---|---|---|---|---|
${Object.entries(fields)
  .map(([attribute, field]) => `| ${[`\`${attribute}\``, ...cellsOf(field)].join(' | ')} |`)
  .join('\n')}
`

const cellsOf = ({ relation, query, othersOnlyWithin, write }: DocumentFieldDefinition) => [
  nested(relation),
  inBody(write),
  query ? queried(othersOnlyWithin) : '–',
  query?.order ? 'yes' : '–',
]

const queried = (within: DocumentFieldDefinition['othersOnlyWithin']) =>
  within
    ? `the caller’s own; other members’ only with \`equal\` on ${within.map((attribute) => `\`${attribute}\``).join(' or ')}`
    : 'yes'

function nested(relation: DocumentFieldDefinition['relation']): string {
  if (!relation) return '–'
  if (!relation.edges) return `a document of \`${relation.target}\``
  return `documents of \`${relation.target}\`${relation.ownOnly ? ', only in the caller’s own profile' : ''}`
}

function inBody(write: FieldWriteRule): string {
  switch (write.as) {
    case 'derived':
      return 'set by the server'
    case 'refused':
      return 'refused'
    case 'kept':
      return 'set by the server; the same value is accepted'
    case 'constant':
      return `always \`${write.value}\``
    case 'value':
      return [need(write), ...once(write)].join(', ')
    case 'actor':
      return 'the caller’s id, or omitted'
    case 'reference':
      return [write.nullable ? 'an id, or null' : 'an id, required', ...once(write)].join(', ')
    case 'picture':
      return `the id of an upload that the caller finished${write.required ? ', required' : ', or null'}`
    case 'state':
      return `\`${write.first}\` at creation; later ${write.entered.map((state) => `\`${state}\``).join(' or ')}`
    case 'pair':
      return 'the ids of two members, one of them the caller’s; required at creation'
    case 'link':
      return 'a list of ids; only the caller’s own id may be added or removed'
  }
}

const need = (write: { blank?: unknown }) => {
  if (!('blank' in write)) return 'required'
  return write.blank === undefined
    ? 'optional; the default depends on the member'
    : `optional; default \`${JSON.stringify(write.blank)}\``
}

const once = ({ fixed }: { fixed?: true }) => (fixed ? ['at creation only'] : [])
