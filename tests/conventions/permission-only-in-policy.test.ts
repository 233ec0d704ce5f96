/** Declarations outside server/policy/ that read rows without a rule need a reason. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accessRules } from '#server/policy/index.ts'

const root = join(import.meta.dirname, '..', '..')
const policy = ['server/policy/index.ts', ...globSync('server/policy/*.ts', { cwd: root })]

const unguarded: Readonly<Record<string, string>> = {
  // These declarations run without a caller.
  'server/features/account/operator-commands.ts findHolder': 'the member that the operator names',
  'server/features/account/password-reset.ts resetPassword': 'the account’s own profile',
  'server/appwrite/documents/create-legacy-profile.ts freshAccountKey':
    'whether an account has a profile yet',
  'server/appwrite/documents/create-legacy-profile.ts refuseMisleadingId': 'a name is taken by anyone',
  'server/features/moderation/end-moderator-and-operator-roles.ts endModeratorAndOperatorRoles':
    'the roles of an account that has a new owner',
  'server/features/account/end-two-factor.ts recordEndOfTwoFactor':
    'the member whose two-factor authentication ended',
  'server/auth/end-open-invitations.ts endOpenInvitations':
    'the caller’s own invitations, with a new password',
  'server/auth/lock-account-row.ts holdAccountsOf': 'locks the accounts of members whom the caller found',
  'server/auth/record-token-and-file-changes.ts buildFileChangesStatement': 'the owner of the changed file',
  'server/auth/record-token-and-file-changes.ts recordFileChange':
    'a file, after permission to change it was checked',
  'server/auth/session.ts buildSelectSession': 'the caller',
  'server/features/admin/instance-queries.ts measureInstance': 'the number of members, for operators only',
  'server/features/admin/instance-queries.ts measureStorage': 'sizes, for operators only',
  'server/features/community/admit-new-account.ts whereInvitationOpen':
    'whether the inviter is still an operator',
  'server/features/community/applications.ts selectMemberToAsk':
    'the member that an applicant names; only operators see whether it exists',
  'server/features/community/applications.ts endVouchRequests': 'the caller’s own row',
  'server/features/community/operator-first-steps-routes.ts registerOperatorFirstStepsRoutes':
    'whether each step is done, for operators only',
  'server/features/community/invitation-routes.ts registerInvitationRoutes':
    'the inviter for a person with the code, and the caller’s own row',
  'server/features/community/invitation-routes.ts selectInvitations':
    'the member who used the caller’s invitation; the member is shown through the rule',
  'server/features/community/welcome-routes.ts registerWelcomeRoutes':
    'the caller’s inviter; suggested members are read through the rule',
  'server/features/community/promote-to-operator.ts promoteToOperator': 'the member that the operator names',
  'server/features/account/find-or-create-profile.ts findOrCreateProfile': 'the account’s own profile',
  'server/features/account/find-free-username.ts findFreeUsername': 'a name is taken by anyone',
  'server/features/people/follow-request-routes.ts withdrawFollowRequest':
    'a request found through the rule before',
  'server/files/file-cleanup.ts purgeUnusedFiles': 'files without a record',
  'server/files/stored-files.ts deleteFileInStates':
    'a file found through the rule before, or an abandoned one',
  'server/files/stored-files.ts makeVariant': 'a file found through the rule before',
  'server/files/warn-about-missing-pictures.ts warnAboutMissingPictures': 'server work without a caller',
  'server/files/receive-upload-chunk.ts endIdleUploads': 'the uploader’s own open uploads',
  'server/files/receive-upload-chunk.ts recordUploadChunk': 'an upload found through the rule before',
  'server/files/receive-upload-chunk.ts finishedElsewhere': 'an upload found through the rule before',
  'server/features/moderation/notice-and-appeal-routes.ts undoDecision':
    'the subject of a case that the rule lets the caller review',
  'server/features/moderation/notice-and-appeal-routes.ts undoSuspension':
    'other decisions about the subject of such a case',
  'server/features/moderation/read-case-evidence.ts selectNumberedReportsOfCase':
    'of a case found through the rule before',
  'server/features/moderation/read-case-evidence.ts sendEvidencePicture':
    'of a case found through the rule before',
  'server/features/moderation/read-case-evidence.ts whereAdminSeesPhoto':
    'whether a tagged member hid the photo, which also hides it from the admin',
  'server/features/moderation/case-routes.ts readCase': 'of a case found through the rule before',
  'server/features/moderation/evidence-retention.ts keepEvidenceAfter':
    'the reports of a case found through the rule before',
  'server/features/moderation/decide-case.ts removeComment':
    'the subject of a case that the rule lets the caller decide',
  'server/features/moderation/decide-case.ts selectShown':
    'the subject of a case that the rule lets the caller decide',
  'server/features/moderation/decide-case.ts selectAccountToSuspend':
    'the member in a case that the rule lets the caller decide',
  'server/features/moderation/decide-case.ts suspendMember':
    'the member in a case that the rule lets the caller decide',
  'server/features/moderation/group-queue-routes.ts readGroupCase': 'of a case found through the rule before',
  'server/features/moderation/group-queue-routes.ts takeOutOfGroup':
    'the subject of a case that the rule lets the caller decide',
  'server/features/moderation/escalate-case.ts escalateCase':
    'a case that the rule lets the caller escalate, or that no admin may see',
  'server/features/moderation/escalate-case.ts joinCase': 'the reports of a case that joins another',
  'server/features/moderation/escalate-case.ts makeCaseAboutFormerAdmin':
    'the case of the reported content, for any reporter',
  'server/features/moderation/create-report.ts escalateOpenCases':
    'the cases of the reported content, for any reporter',
  'server/features/moderation/create-report.ts findReviewQueue':
    'which review queue receives a report, by the policy’s conditions',
  'server/features/moderation/create-report.ts insertReport':
    'the number of the caller’s reports in the case',
  'server/features/moderation/case-states.ts selectDecisionForReporter':
    'the decision about reported content, for its reporter',
  'server/features/moderation/moderators.ts findMemberKey':
    'the member that the operator names, without a caller',
  'server/features/moderation/moderators.ts restoreModerator':
    'the member that the operator names, without a caller',
  'server/features/moderation/moderators.ts listModerators': 'for the operator, for no caller',
  'server/features/moderation/capture-report-evidence.ts capturePicture':
    'the picture of a row found through the rule before',
  'server/ops/retention.ts deleteBatch': 'expired rows',
  'server/ops/retention.ts expired': 'rows that still refer to a deleted account',
  // These parts of a data export are not read through rules.
  'server/features/data-export/stream-archive.ts joinEntryFileSql': 'the originals that the export lists',
  'server/features/data-export/export-worker.ts claimExport': 'the profile of the account that asked',
  'server/features/data-export/exported-data-queries.ts choices': 'the members that the caller blocked',
  'server/features/data-export/exported-data-queries.ts comments': 'the caller’s comments, and their posts',
  'server/features/data-export/exported-data-queries.ts groups': 'the caller’s own memberships',
  'server/features/data-export/exported-data-queries.ts invitations':
    'the member who used the caller’s invitation, shown through the rule',
  'server/features/data-export/exported-data-queries.ts posts': 'the caller’s own posts',
  'server/features/data-export/exported-data-queries.ts profile': 'the caller’s own profile',
  'server/features/data-export/exported-data-queries.ts reports': 'the caller’s own reports',
  'server/features/data-export/exported-data-queries.ts settings': 'the caller’s own profile',
  'server/features/data-export/gather-export.ts isFileThere': 'an original that the export lists',
  'server/features/data-export/gather-export.ts readPhotos': 'the originals that the export lists',
  'server/features/data-export/export-lifecycle.ts listPhotos': 'the caller’s own files',
  // The erasure of accounts has no caller.
  'server/features/deletion/column-erasure-rules.ts findUnerasedColumns': 'whether any row is left',
  'server/features/deletion/erase-account.ts removeBytes': 'its files',
  'server/features/deletion/erase-account.ts selectDeletion': 'its profile',
  'server/features/deletion/erasure-steps.ts change': 'its rows',
  'server/features/deletion/erasure-steps.ts emptyAccount': 'its messages',
  'server/features/deletion/erasure-steps.ts eraseFiles': 'its files',
  'server/features/deletion/erasure-steps.ts eraseGroups': 'its groups',
  'server/features/deletion/erasure-steps.ts eraseMessages': 'its messages',
  'server/features/deletion/erasure-steps.ts erasePosts': 'its posts',
  'server/features/deletion/erasure-steps.ts erasureSteps': 'its username, which applications may name',
  'server/features/deletion/erasure-steps.ts ofOwnPost': 'its posts',
  'server/features/deletion/deletion-requests.ts findChosenSuccessors':
    'the successors that the owner chose for her groups',
  'server/features/deletion/deletion-requests.ts previewDeletion':
    'counts the caller’s rows; successors come through the rule',
  'server/features/photo-tags/photo-tag-routes.ts findOwnPhoto': 'a photo of a post found through the rule',
  'server/features/photo-tags/photo-tag-routes.ts lockAuthorAndPerson': 'locks before the rule decides',
  'server/features/photo-tags/photo-tag-routes.ts refuseMoreThanFit':
    'the number of tags in the caller’s photo',
  'server/features/photo-tags/photo-tag-routes.ts registerPhotoTagRoutes':
    'photos and tags found through the rule',
  'server/features/photo-tags/photos-of-me-routes.ts findCursor':
    'the position of the caller’s own entry in a list',
  'server/features/photo-tags/photos-of-me-routes.ts registerPhotosOfMeRoutes': 'the caller’s photo tags',
  'server/features/photo-tags/photos-of-me-routes.ts setHidden': 'a photo in which the caller is tagged',
  'server/features/photo-tags/sync-withheld-photos.ts syncPostWithWithheldPhotos':
    'the photos of a post, after permission to change it was checked',
  'server/features/photo-tags/select-photo-tags.ts joined': 'tags that come through the rule',
  'server/features/notifications/notification-actors.ts actorsByKind':
    'the subject of the recipient’s own notification; people in it come through the rules',
  'server/features/notifications/notification-actors.ts whereCommentRepliesTo':
    'the comment that a readable one answers',
  'server/features/notifications/notification-candidates.ts sourcesByKind':
    'the members whom a change concerns; the rules decide when it is shown',
  'server/features/notifications/notification-routes.ts registerNotificationRoutes':
    'marks the caller’s notifications by their subject',
  'server/features/notifications/notification-queries.ts deviceSql': 'a session of the caller’s own account',
  'server/features/notifications/notification-queries.ts isAnswered':
    'the state of a request found through the rule',
  'server/features/notifications/notification-queries.ts isWaiting':
    'the state of a request found through the rule',
  'server/features/notifications/write-notifications.ts withdrawnLikes': 'withdrawn likes',
  'server/features/notifications/write-notifications.ts withinFanOut': 'the number of members of a group',
  'server/features/notifications/schedule-pushes.ts scheduleMessagePushes':
    'the time of the next push; its content is read through the rule',
  'server/features/notifications/push/delivery-preference-routes.ts registerDeliveryPreferenceRoutes':
    'the account to which an emailed secret belongs',
  'server/features/notifications/push/send-summaries.ts sendDueSummaries':
    'the addresses of members whose summaries are due',
  'server/realtime/fan-out.ts authorizeRecipients': 'the owner of a listening session',
  'server/realtime/fan-out.ts createChangeFanOut': 'the account of a new profile',
  // The store asks the policy first, then finds the dependent rows.
  'server/store/collection-definitions.ts collectionDefinitions':
    'the possible recipients of a change; the read rule decides at delivery',
  'server/features/comments/comment-effects.ts tombstoneAnsweredThread':
    'the post and the thread of a comment, after permission to write was checked',
  'server/features/comments/comment-effects.ts recordCommentRemovalInCases':
    'cases about comments, after permission to remove them was checked',
  'server/store/collection-definitions.ts lockPostOf': 'locks the post above a comment',
  'server/store/collection-definitions.ts lockAuthorOf': 'locks the author above a post',
  'server/store/collection-definitions.ts lockGroupOf': 'locks the group above a row',
  'server/features/groups/group-succession.ts declineGroup': 'the handovers of the caller’s own group',
  'server/features/groups/group-succession.ts giveBackSuspendedGroups': 'the groups that a suspension took',
  'server/features/groups/group-succession.ts hideWithoutSuccessor':
    'the members whose access to a group’s posts ends',
  'server/features/posts/posts-of-leaving-members.ts selectOtherReaders':
    'whose access to the author’s posts ends; blocks are judged by the policy',
  'server/features/groups/group-succession.ts lockGroupsOfSuspension':
    'locks the groups that a suspension took',
  'server/features/groups/group-succession.ts lockAccountsOfSuspension':
    'locks the accounts of the former and the current admins',
  'server/features/groups/group-succession.ts lockSuccessor': 'locks the account of the admin',
  'server/features/groups/group-succession.ts appointSuccessors':
    'the groups of an admin who left or closed the account',
  'server/features/groups/record-group-event.ts recordGroupEvent': 'public ids for the record',
  'server/features/groups/group-effects.ts changeRole': 'both memberships of a group handed over',
  'server/features/groups/delete-posts-of-deleted-groups.ts deleteNextPostBatch':
    'posts that no member sees any more',
  'server/features/groups/delete-posts-of-deleted-groups.ts deletePosts':
    'posts that no member sees any more',
  'server/store/delete-rows.ts deleteRows': 'rows of background jobs, which have no caller',
  'server/features/groups/group-effects.ts beforeGroupRemoved': 'the members of a deleted group',
  'server/features/groups/group-effects.ts afterJoinRequestDecided': 'the admin who decided',
  'server/features/posts/post-effects.ts readersOf': 'the members who saw a post before it moved',
  'server/features/posts/post-effects.ts whereCommentConcernsOthers':
    'comments by others on a post that leaves its group',
  'server/features/posts/post-photos.ts readPostPhotos':
    'the photos of a post, after permission to write was checked',
  'server/store/collection-definitions.ts lockConversationOf':
    'locks the conversation before permission to write is checked',
  'server/features/posts/posts-of-leaving-members.ts lockMemberPostsInGroup': 'locks the caller’s own posts',
  'server/features/posts/posts-of-leaving-members.ts hideGroupPostsOfLeavingMember':
    'the members who saw the posts before their author took them along',
  'server/features/posts/posts-of-leaving-members.ts moveHiddenPostsOutOfGroup':
    'posts that stay with their authors when a group ends',
  'server/store/change-log-writer.ts createChangeLogWriter': 'rows that a change is sent about',
  'server/files/stored-files.ts claimUploads': 'uploads, each checked in the same statement',
  'server/store/change-log-writer.ts recordTouchedRowInOutbox': 'the row a new one touches',
  'server/store/store.ts createStoreTransaction': 'the row of a write, after permission was checked',
  'server/store/store.ts wasThereBefore': 'the existing row that a write found',
  // These declarations look up keys that a rule has returned.
  'server/features/realtime/change-payloads.ts selectReferences':
    'ids of the rows to which a readable row refers',
  'server/features/realtime/change-payloads.ts referencesOf':
    'rows whose recipients the fan-out, or a rule before, authorizes',
  'server/appwrite/documents/chat-collections.ts conversationDocumentDefinition':
    'participants of a readable conversation',
  'server/appwrite/documents/chat-collections.ts lastMessageText': 'of a readable conversation',
  'server/appwrite/documents/chat-collections.ts lastSender': 'of a readable conversation',
  'server/appwrite/documents/chat-collections.ts listPhotoIds': 'of a message that comes through the rule',
  'server/appwrite/documents/chat-collections.ts messageDocumentDefinition': 'readers of a readable message',
  'server/appwrite/documents/chat-collections.ts lastMessageColumn': 'of a readable conversation',
  'server/appwrite/documents/chat-collections.ts updateReadMark': 'of a readable message',
  'server/appwrite/documents/field-definitions.ts publicIdSubquery':
    'the public id behind a column of a readable row',
  'server/appwrite/documents/people-collections.ts userDocumentDefinition':
    'the picture of a readable member',
  'server/appwrite/documents/post-collections.ts listPhotoIds': 'photos of a readable post',
  'server/appwrite/documents/routes.ts findDocument': 'a row found through the rule, and its tombstone',
  'server/appwrite/queries/queryable-attributes.ts keysOf':
    'compares ids; the rows themselves come through the rule',
  'server/features/account/close-account.ts closeAccountAndAppointSuccessors':
    'locks the groups of an account that closes',
  'server/features/posts/like-and-save-routes.ts buildLikeChange':
    'the post that the same statement found through the rule',
  'server/features/people/mute-and-restriction-lists.ts findEntry':
    'the position of the caller’s own entry in a list',
  'server/email/email-queue.ts discardEmail':
    'the recipient of the email that the operator discards, for the operators’ log',
  'server/features/admin/account-commands.ts findHolder': 'the member that the operator names',
  'server/features/admin/account-commands.ts listAccounts': 'the list that a command prints for the operator',
  'server/features/admin/member-routes.ts isAfterCursor': 'for operators only',
  'server/features/admin/member-routes.ts readMember': 'for operators only: state and sizes',
  'server/features/moderation/decide-case.ts proposeSuspension': 'the case that the proposal concerns',
  'server/features/moderation/decide-case.ts suspendForOperator': 'the member that the operator suspends',
  'server/features/admin/operator-act-routes.ts personOf': 'names in the log, for operators only',
  'server/features/chat/message-routes.ts answeredKeyValue':
    'the message that the database compares with the conversation found through the rule',
  'server/features/posts/post-list-routes.ts likesOf': 'the caller’s likes; the posts come through the rule',
  'server/features/posts/place-routes.ts registerPlaceRoutes': 'posts found through the rule',
  'server/features/posts/tag-routes.ts registerTagRoutes': 'posts and their tags, found through the rule',
  'server/features/chat/reaction-routes.ts setReaction':
    'the message that the same statement found through the rule',
  'server/features/chat/message-search-routes.ts findMessages':
    'messages of conversations found through the rule',
  'server/features/chat/message-search-routes.ts findSearchedConversations': 'the rule is its condition',
  'server/features/comments/comment-likes.ts setCommentLike':
    'the comment that the same statement found through the rule',
  'server/appwrite/documents/comment-collections.ts shownTime':
    'the post of a comment found through the rule',
  'server/features/comments/comment-routes.ts threadOf':
    'the thread of a comment that was written under a readable post',
  'server/features/comments/mention-suggestion-routes.ts findScope':
    'the rule is its condition; or the caller’s own row',
  'server/features/comments/mention-suggestion-routes.ts selectMentionablePeople':
    'within the scope found through the rule; each member by the rule',
  'server/features/comments/write-mentions.ts commentMentionSource':
    'checks for each member whether a mention is allowed',
  'server/features/comments/select-shown-mentions.ts selectShownMentions':
    'checks for each member whether it may be shown',
  'server/features/comments/comment-routes.ts registerCommentRoutes':
    'replies of a thread under a post found through the rule',
  'server/features/comments/comment-routes.ts threadKeyValue':
    'the database refuses a thread of a different post',
  'server/features/comments/comment-routes.ts whereThreadListed':
    'replies under a post found through the rule',
  'server/features/posts/trending/rank-trending-posts.ts selectRankedPosts':
    'the same for all readers and not shown; the list applies the rule to each post',
  'server/database/text-search.ts selectNewestMatchingPostKeys': 'takes the rule as its condition',
  'server/features/people/person-summary.ts joinPersonSummaryRow': 'the person behind a readable row',
}

const sources = globSync('server/**/*.ts', { cwd: root })
  .filter((path) => !policy.includes(path) && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: withoutComments(readFileSync(join(root, path), 'utf8')) }))

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
}

/** Biome indents everything except top-level declarations. */
function declarationsOf(text: string): { name: string; text: string }[] {
  return text
    .split(/^(?=(?:export )?(?:async )?(?:function|const|class) )/m)
    .map((part) => ({ name: /(?:function|const|class) (\w+)/.exec(part)?.[1] ?? '', text: part }))
}

/** Finds SQL templates, also nested, and chains of the query builder. */
function statementsOf(text: string): string[] {
  const found: string[] = []
  for (let at = 0; at < text.length; ) {
    const head = /sql(?:<[^`]*?>)?`|\.selectFrom\(/g
    head.lastIndex = at
    const match = head.exec(text)
    if (!match) break
    const end = match[0].endsWith('`') ? endOfTemplate(text, head.lastIndex) : endOfChain(text, match.index)
    found.push(text.slice(match.index, end))
    at = end
  }
  return found
}

function endOfTemplate(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '`') return at + 1
    else if (text.startsWith('${', at)) at = endOfHole(text, at + 2)
  }
  return text.length
}

function endOfHole(text: string, start: number): number {
  for (let at = start, depth = 1; at < text.length; at += 1) {
    if (text[at] === '`') at = endOfTemplate(text, at + 1) - 1
    else if (text[at] === '{') depth += 1
    else if (text[at] === '}') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return text.length
}

const endOfChain = (text: string, start: number): number => {
  const end = /\.(?:execute\w*|as)\(|\n\n/g
  end.lastIndex = start
  return end.exec(text)?.index ?? text.length
}

const tables = Object.keys(accessRules).join('|')
const looksUp = new RegExp(
  String.raw`\b(?:from|join)\s+(?:${tables})\b|\b(?:from|join)\s+\$\{sql\.table|(?:selectFrom|[jJ]oin)\('(?:${tables})\b`,
)
const asksRule =
  /\b(?:whereAccessRuleAllows|whereMemberMayRead|whereMayListPost|wherePostCreatorOpenAndUnblocked|whereMemberMayWrite|whereMemberHasAbility|permitted)\(/

const lookUps = (text: string) =>
  declarationsOf(text).flatMap(({ name, text: declaration }) =>
    statementsOf(declaration)
      .filter((statement) => looksUp.test(statement) && !asksRule.test(statement))
      .map(() => name),
  )

test('rows are looked up through an access rule, or the list of exceptions gives the reason', () => {
  const found = new Set(sources.flatMap(({ path, text }) => lookUps(text).map((name) => `${path} ${name}`)))
  expect([...found].sort()).toEqual(Object.keys(unguarded).sort())
})

/** `@{` stands for `${` in a template. */
const written = (text: string) => text.replaceAll('@{', '${')

test('other modules use the access rules only through server/policy/index.ts', () => {
  expect(
    sources
      .filter(({ text }) => /from '[^']*\/policy\/(?!index\.ts)[\w-]+\.ts'/.test(text))
      .map(({ path }) => path),
  ).toEqual([])
})

test('the check finds a planted look-up without a rule', () => {
  const planted = (statement: string) =>
    lookUps(`export async function planted() {\n  ${written(statement)}\n}\n`)
  const bad = [
    'await sql`select from group_members m where m.user_id = @{me.id}`.execute(db)',
    "await db.selectFrom('posts').select('id').where('public_id', '=', id).executeTakeFirst()",
    "await db.selectFrom('groups').innerJoin('group_members', 'group_id', 'groups.id').execute()",
    'await sql`select id from @{sql.table(table)} as t where t.public_id = @{id}`.execute(db)',
    "await sql`select from users where id = @{me}`.execute(db); await sql`select @{whereAccessRuleAllows(me, 'read', 'posts', 'p')}`",
  ]
  for (const statement of bad) expect([statement, planted(statement)]).toEqual([statement, ['planted']])
  expect(
    planted("await sql`select p.id from posts p where @{whereMemberMayRead(me, 'posts', 'p')}`.execute(db)"),
  ).toEqual([])
})

const decides: readonly [what: string, words: RegExp, but?: readonly string[]][] = [
  ['the visibility of a member', /\b(?:isActive|isMemberVisible)\b/],
  [
    'the admin of a group',
    /admin_id\s*(?:=|<>|!=|in)\s*\(?\$\{|\$\{[^}]*\}\s*(?:=|<>|!=)\s*(?:\w+\.)?admin_id|\$\{[^}]*\}\s*in\s*\([^)]*admin_id/,
  ],
  [
    'the admin’s role',
    /\brole\b\}?\s*(?:={1,3}|<>|!==?)\s*'(?:admin|member)'/,
    ['server/features/groups/group-effects.ts'],
  ],
  [
    'whether an account is closed',
    /\bstatus\s*(?:=|<>|!=)\s*'(?:active|blocked)'/,
    // The first file decides who may hold a session, the second who may write a first profile.
    ['server/realtime/fan-out.ts', 'server/appwrite/documents/create-legacy-profile.ts'],
  ],
  [
    'membership of a group',
    /group_members (\w+)\b(?:(?!`)[\s\S]){0,200}?\b\1\.user_id\s*(?:=|in)\s*\$\{/,
    // The first file shows a relation to a group, the second handles memberships named by old clients.
    ['server/features/groups/hydrate-groups.ts', 'server/appwrite/documents/create-document.ts'],
  ],
  ['the participants of a conversation', /\$\{[^}]*\}\s*in\s*\([^)]*low_id/],
]

const deciding = (words: RegExp, but: readonly string[] = []) =>
  sources.filter(({ path, text }) => !but.includes(path) && words.test(text)).map(({ path }) => path)

test.each(decides)('%s is decided only in the policy', (_, words, but) => {
  expect(deciding(words, but)).toEqual([])
  expect(
    words.test(withoutComments(policy.map((path) => readFileSync(join(root, path), 'utf8')).join('\n'))),
  ).toBe(true)
})

test.each([
  ['the visibility of a member', 'where @{isActive(p.creator_id)}'],
  ['the admin of a group', 'g.admin_id = @{me.id}'],
  ['the admin of a group', '@{me.id} in (t.user_id, g.admin_id)'],
  ['the admin’s role', "membership?.role === 'admin'"],
  ['the admin’s role', "m.role = 'member'"],
  ['whether an account is closed', "a.status <> 'active'"],
  ['membership of a group', 'from group_members m join users u on u.id = m.user_id where m.user_id = @{me}'],
  ['the participants of a conversation', '@{me} in (c.low_id, c.high_id)'],
])('the check finds a planted decision outside the policy: %s, %s', (what, text) => {
  expect(decides.filter(([name, words]) => name === what && words.test(written(text)))).toHaveLength(1)
})
