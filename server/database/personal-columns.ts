/**
 * Erasure, data export and the evidence of reports follow these rules. A column without a rule does not
 * compile.
 */
import { type RawBuilder, sql } from 'kysely'
import type { EvidenceField } from '#contract/moderation/evidence-fields.ts'
import type { DatabaseTables } from './schema.ts'

/** `field`: unchanged, under this name. `query`: in its own form. `no`: not shown. */
type Shown<Field extends string> = { field: Field } | 'query' | 'no'

type ColumnRule = {
  /** `value` replaces the erased value. `step`: a separate step decides. */
  erasure: { value: unknown } | 'step' | 'kept'
  /** The member's own text, which erasure also removes from the outbox. */
  words: boolean
  /** In `users` and `accounts`, a field begins with its list: `profile.bio`. */
  export: Shown<string>
  evidence: Shown<EvidenceField>
}

type RowsOfMember = 'accounts' | 'users' | 'posts' | 'comments' | 'messages' | 'groups'

const internal = { erasure: 'kept', words: false, export: 'no', evidence: 'no' } as const
const text = { ...internal, erasure: 'step', words: true } as const
const choice = (value: unknown, field: string) =>
  ({ ...internal, erasure: { value }, export: { field } }) as const
const keptChoice = (field: string) => ({ ...internal, export: { field } }) as const
const emptied = (value: unknown) => ({ ...internal, erasure: { value } }) as const
const count = (field: string) => ({ ...internal, export: { field } }) as const

/** Erasure also deletes posts and comments, unsends messages on request, and hands groups over. */
const personalColumns = {
  accounts: {
    id: internal,
    public_id: internal,
    email: { ...internal, erasure: { value: null }, export: { field: 'profile.email' } },
    phone: { ...internal, erasure: { value: null }, export: { field: 'profile.phone' } },
    name: emptied(''),
    password_hash: emptied(null),
    password_updated_at: emptied(null),
    email_verified: { ...internal, erasure: { value: false }, export: { field: 'profile.emailConfirmed' } },
    phone_verified: emptied(false),
    status: internal,
    labels: emptied('{}'),
    prefs: emptied('{}'),
    first_session_at: emptied(null),
    email_proven_at: emptied(null),
    phone_set_at: emptied(null),
    username_changed_at: emptied(null),
    closed_at: internal,
    reopens_on_sign_in: internal,
    mfa: choice(false, 'choices.twoSteps'),
    webauthn_id: emptied(null),
    rules_seen: emptied(0),
    announcement_seen: emptied(0),
    language: choice(null, 'choices.language'),
    erased_at: { ...internal, erasure: 'step' },
    accessed_at: internal,
    created_at: { ...internal, export: { field: 'profile.memberSince' } },
    updated_at: internal,
  },
  users: {
    id: internal,
    public_id: { ...internal, evidence: 'query' },
    account_id: internal,
    name: { ...text, export: { field: 'profile.name' }, evidence: 'query' },
    username: { ...text, export: { field: 'profile.username' }, evidence: 'query' },
    username_key: text,
    username_skeleton: text,
    bio: {
      erasure: { value: '' },
      words: true,
      export: { field: 'profile.bio' },
      evidence: { field: 'bio' },
    },
    image_id: { ...internal, erasure: 'step', export: 'query', evidence: 'query' },
    post_count: internal,
    follower_count: internal,
    following_count: internal,
    followers_post_count: internal,
    is_private: choice(false, 'choices.private'),
    privatised_at: internal,
    is_listed: choice(false, 'choices.listed'),
    takes_vouch_requests: choice(false, 'choices.takesVouchRequests'),
    lists_for: choice('me', 'choices.listsFor'),
    comments_from: choice('nobody', 'choices.commentsFrom'),
    pictured_by: choice('nobody', 'choices.picturedBy'),
    on_place_pages: keptChoice('choices.onPlacePages'),
    messages_from: choice('nobody', 'choices.messagesFrom'),
    quick_exit: choice('off', 'choices.quickExit'),
    alt_reminder: keptChoice('choices.altReminder'),
    shows_typing: choice(false, 'choices.showsTyping'),
    shows_receipts: keptChoice('choices.showsReceipts'),
    welcome_due: emptied(false),
    created_at: { ...internal, evidence: 'query' },
    updated_at: internal,
    name_folded: text,
    username_folded: text,
    bio_folded: text,
  },
  posts: {
    id: internal,
    public_id: { ...internal, export: { field: 'id' }, evidence: 'query' },
    creator_id: { ...internal, evidence: 'query' },
    caption: { ...text, export: { field: 'caption' }, evidence: { field: 'caption' } },
    location: { ...text, export: { field: 'location' }, evidence: { field: 'location' } },
    tags: { ...text, export: { field: 'tags' }, evidence: { field: 'tags' } },
    group_id: { ...internal, export: 'query', evidence: 'query' },
    image_id: { ...internal, export: 'query', evidence: 'query' },
    image_alt: { ...text, export: 'query', evidence: { field: 'imageAlt' } },
    photo_count: internal,
    like_count: count('likes'),
    comments_from: internal,
    comment_count: { ...internal, export: 'query' },
    followers_only: { ...internal, export: { field: 'followersOnly' } },
    hidden_by: internal,
    hidden_at: internal,
    edited_at: { ...internal, export: { field: 'editedAt' } },
    withheld_by: { ...internal, evidence: 'query' },
    shared_with: internal,
    shared_count: internal,
    shared_at: internal,
    created_at: { ...internal, export: { field: 'createdAt' }, evidence: 'query' },
    updated_at: { ...internal, evidence: 'query' },
    caption_folded: text,
    location_folded: text,
    tags_folded: text,
  },
  comments: {
    id: internal,
    public_id: { ...internal, evidence: 'query' },
    post_id: { ...internal, export: 'query', evidence: 'query' },
    author_id: { ...internal, export: 'query', evidence: 'query' },
    parent_id: { ...internal, evidence: 'query' },
    content: { ...text, export: { field: 'content' }, evidence: { field: 'content' } },
    like_count: internal,
    reply_count: internal,
    created_at: { ...internal, export: { field: 'at' }, evidence: 'query' },
    edited_at: { ...internal, export: { field: 'editedAt' }, evidence: 'query' },
    removed_at: { ...internal, evidence: 'query' },
  },
  messages: {
    id: internal,
    public_id: { ...internal, evidence: 'query' },
    conversation_id: { ...internal, export: 'query' },
    sender_id: { ...internal, export: 'query', evidence: 'query' },
    content: { ...text, export: 'query', evidence: 'query' },
    type: internal,
    created_at: { ...internal, export: { field: 'at' }, evidence: 'query' },
    content_folded: text,
    unsent_at: { ...internal, export: 'query' },
    reply_to_id: internal,
    photo_count: internal,
    shared_post_id: { ...internal, evidence: 'query' },
    shares: internal,
  },
  groups: {
    id: internal,
    public_id: { ...internal, evidence: 'query' },
    name: { ...text, export: { field: 'name' }, evidence: { field: 'name' } },
    description: { ...internal, export: { field: 'description' }, evidence: { field: 'description' } },
    image_id: { ...internal, evidence: 'query' },
    admin_id: { ...internal, evidence: 'query' },
    is_private: internal,
    member_count: count('members'),
    hidden_at: internal,
    without_heir: internal,
    created_at: { ...internal, evidence: 'query' },
    updated_at: internal,
    name_folded: text,
    description_folded: internal,
  },
} as const satisfies { [T in RowsOfMember]: { [C in keyof DatabaseTables[T]]: ColumnRule } }

const rulesOf = (table: RowsOfMember): [column: string, rule: ColumnRule][] =>
  Object.entries(personalColumns[table])

export const erasedColumnValues = (table: 'accounts' | 'users'): Record<string, unknown> =>
  Object.fromEntries(
    rulesOf(table).flatMap(([column, { erasure }]) =>
      typeof erasure === 'object' ? [[column, erasure.value]] : [],
    ),
  )

/** The names are those of the columns in the outbox's rows. */
export const columnsWithWords: readonly string[] = [
  ...new Set(
    (Object.keys(personalColumns) as RowsOfMember[]).flatMap((table) =>
      rulesOf(table).flatMap(([column, { words }]) => (words ? [column] : [])),
    ),
  ),
]

/** The member's own texts, by their names in the data export. */
export const ownTexts = (table: RowsOfMember, list?: string): string[] =>
  rulesOf(table).flatMap(([, rule]) => (rule.words && fieldIn(rule.export, list)) || [])

export const exportedColumns = (table: RowsOfMember, alias: string, list?: string): RawBuilder<unknown> =>
  fieldsAndColumns(
    alias,
    rulesOf(table).map(([column, rule]) => [column, fieldIn(rule.export, list)]),
  )

export const evidenceColumns = (table: RowsOfMember, alias: string): RawBuilder<unknown> =>
  fieldsAndColumns(
    alias,
    rulesOf(table).map(([column, rule]) => [column, fieldIn(rule.evidence)]),
  )

function fieldIn(shown: Shown<string>, list?: string): string | undefined {
  if (typeof shown === 'string') return undefined
  if (list === undefined) return shown.field
  return shown.field.startsWith(`${list}.`) ? shown.field.slice(list.length + 1) : undefined
}

const fieldsAndColumns = (
  alias: string,
  fields: [column: string, field: string | undefined][],
): RawBuilder<unknown> =>
  sql.join(
    fields.flatMap(([column, field]) =>
      field === undefined ? [] : [sql`${sql.lit(field)}, ${sql.ref(`${alias}.${column}`)}`],
    ),
  )
