/** Generates docs/collections.md: each collection's fields in the Appwrite API. */
import { documentCollections } from '#server/appwrite/documents/document-collections.ts'
import type {
  DocumentCollection,
  DocumentFieldDefinition,
  FieldWriteRule,
} from '#server/appwrite/documents/field-definitions.ts'

export function renderCollectionsPage(): string {
  return `# The ten collections

What a client of the dialect finds in database \`main\` ([appwrite.md](appwrite.md)): the attributes of each collection, the
documents nested in them, what a body may set, whether a query may compare them and order by them (the caller's own
\`accountId\` and \`email\` alone). Every document also has \`$id\`, \`$createdAt\`,
\`$updatedAt\`, \`$permissions\`, \`$databaseId\` and \`$collectionId\`; the first three can be queried and ordered by
everywhere. What is set by the server is accepted in a body and ignored. Generated from the definitions by \`npm run docs\`.

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
    ? `the caller’s own; others’ with \`equal\` on ${within.map((attribute) => `\`${attribute}\``).join(' or ')}`
    : 'yes'

function nested(relation: DocumentFieldDefinition['relation']): string {
  if (!relation) return '–'
  if (!relation.edges) return `a document of \`${relation.target}\``
  return `documents of \`${relation.target}\`${relation.ownOnly ? ', of the caller’s own profile alone' : ''}`
}

function inBody(write: FieldWriteRule): string {
  switch (write.as) {
    case 'derived':
      return 'set by the server'
    case 'refused':
      return 'refused'
    case 'kept':
      return 'set by the server, and may be repeated'
    case 'constant':
      return `always \`${write.value}\``
    case 'value':
      return [need(write), ...once(write)].join(', ')
    case 'actor':
      return 'the id of the caller, or absent'
    case 'reference':
      return [write.nullable ? 'an id, or null' : 'an id, required', ...once(write)].join(', ')
    case 'picture':
      return `the id of a finished upload of the caller${write.required ? ', required' : ', or null'}`
    case 'state':
      return `begins as \`${write.first}\`; then ${write.entered.map((state) => `\`${state}\``).join(' or ')}`
    case 'pair':
      return 'the ids of two members, one of them the caller; required at creation'
    case 'link':
      return 'a list of ids, in which only the caller’s own changes'
  }
}

const need = (write: { blank?: unknown }) => {
  if (!('blank' in write)) return 'required'
  return write.blank === undefined ? 'chosen where absent' : `\`${JSON.stringify(write.blank)}\` where absent`
}

const once = ({ fixed }: { fixed?: true }) => (fixed ? ['at creation only'] : [])
