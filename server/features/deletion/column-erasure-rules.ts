/** Lists every column that refers to a member or account. A test compares the list with the database. */
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import type { ErasureSubject } from './erasure-steps.ts'

/**
 * `cleared`: another member's row stays without the reference. `kept`: the row refers to the emptied profile,
 * or is the profile itself.
 */
type ErasureRule = 'erased' | 'cleared' | 'kept'

export const memberColumnErasureRules: Record<string, ErasureRule> = {
  'appeals.decided_by': 'cleared',
  'applications.decided_by': 'cleared',
  'applications.voucher_id': 'cleared',
  'block_pairs.member_id': 'kept',
  'block_pairs.other_id': 'kept',
  'blocks.blocked_id': 'kept',
  'blocks.blocker_id': 'erased',
  'comment_likes.user_id': 'erased',
  // The only comments that stay are emptied ones with replies.
  'comments.author_id': 'kept',
  'conversations.asked_id': 'kept',
  'conversations.high_id': 'kept',
  'conversations.low_id': 'kept',
  'conversations.unanswered_by': 'kept',
  // Files of evidence keep their bytes until the case is closed.
  'files.owner_id': 'kept',
  'follow_requests.asked_id': 'erased',
  'follow_requests.asker_id': 'erased',
  'follows.follower_id': 'erased',
  'follows.following_id': 'erased',
  'group_handovers.from_id': 'cleared',
  'group_handovers.to_id': 'erased',
  'group_members.user_id': 'erased',
  'group_requests.processed_by': 'cleared',
  'group_requests.user_id': 'erased',
  'groups.admin_id': 'erased',
  'invitations.inviter_id': 'erased',
  'mentions.user_id': 'erased',
  'message_reactions.user_id': 'erased',
  'messages.sender_id': 'kept',
  'moderation_cases.about_id': 'cleared',
  'moderation_cases.claimed_by': 'cleared',
  'moderation_cases.decided_by': 'cleared',
  'moderation_notices.member_id': 'erased',
  'moderators.member_id': 'erased',
  'mutes.muted_id': 'erased',
  'mutes.muter_id': 'erased',
  'notification_delivery.user_id': 'erased',
  'notification_marks.user_id': 'erased',
  'notification_preferences.user_id': 'erased',
  'notifications.person_id': 'erased',
  'notifications.user_id': 'erased',
  'post_likes.user_id': 'erased',
  // A photo that the member asked to hide stays hidden.
  'post_people.person_id': 'kept',
  'post_photos.withheld_by': 'kept',
  'posts.creator_id': 'erased',
  'posts.withheld_by': 'kept',
  'push_subscriptions.user_id': 'erased',
  'reports.reporter_id': 'cleared',
  'restrictions.restricted_id': 'erased',
  'restrictions.restricter_id': 'erased',
  'saves.user_id': 'erased',
  'suspension_proposals.proposed_by': 'cleared',
}

export const accountColumnErasureRules: Record<string, ErasureRule> = {
  'account_events.account_id': 'erased',
  'applications.account_id': 'erased',
  // The column is cleared when the receipt is written.
  'deletions.account_id': 'kept',
  'exports.account_id': 'erased',
  // The row keeps only the username's normalised form, for thirty days.
  'held_usernames.account_id': 'kept',
  'identities.account_id': 'erased',
  'invitations.account_id': 'cleared',
  'known_devices.account_id': 'erased',
  'oauth_attempts.account_id': 'erased',
  'passkeys.account_id': 'erased',
  'recovery_codes.account_id': 'erased',
  'sessions.account_id': 'erased',
  'suspensions.account_id': 'erased',
  'tokens.account_id': 'erased',
  'totp_secrets.account_id': 'erased',
  'unlock_requests.account_id': 'erased',
  'users.account_id': 'kept',
}

/** Columns that hold keys or ids of members without a foreign key. */
export const unreferencedColumnErasureRules: Record<string, ErasureRule> = {
  // Contains only ids, in other accounts' events. Purged after a year.
  'account_events.about': 'kept',
  'account_events.whom': 'kept',
  // The outbox contains only ids. It is purged after a week.
  'changes.account_id': 'kept',
  'changes.member_ids': 'kept',
  'changes.row_id': 'kept',
  // The table contains only ids. It is purged after a day.
  'deleted_rows.row_id': 'kept',
  'moderation_cases.subject_id': 'kept',
  'moderation_log.actor_id': 'kept',
  'operator_acts.about_id': 'kept',
  'operator_acts.operator_id': 'kept',
  'notification_throttle.actor_id': 'erased',
  'notification_throttle.user_id': 'erased',
  'post_topics.creator_id': 'erased',
  'unlock_requests.email_id': 'erased',
  'recovery_codes.asked_in': 'erased',
  'tokens.asked_as': 'erased',
  // The next ranking removes the row, within the hour.
  'trending_posts.creator_id': 'kept',
}

export async function findUnerasedColumns(
  db: Kysely<DatabaseTables>,
  { account, member }: ErasureSubject,
): Promise<string[]> {
  const asked = [
    ...Object.entries(memberColumnErasureRules).map((entry) => ({ entry, key: member })),
    ...Object.entries(accountColumnErasureRules).map((entry) => ({ entry, key: account })),
  ].filter(({ entry: [, rule] }) => rule !== 'kept')
  const { rows } = await sql<{ place: string }>`
    select found.place from (${sql.join(
      asked.map(({ entry: [place], key }) => {
        const [table, column] = place.split('.') as [string, string]
        return sql`select ${place}::text as place where exists (
          select from ${sql.table(table)} t where ${sql.ref(`t.${column}`)} = ${key})`
      }),
      sql` union all `,
    )}) found`.execute(db)
  return rows.map(({ place }) => place)
}
