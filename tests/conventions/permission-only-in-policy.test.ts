/** Declarations outside server/policy/ that read rows without a rule need a reason. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accessRules } from '#server/policy/index.ts'

const root = join(import.meta.dirname, '..', '..')
const policy = ['server/policy/index.ts', ...globSync('server/policy/*.ts', { cwd: root })]

const unguarded: Readonly<Record<string, string>> = {
  // These run without a caller.
  'server/features/account/operator-commands.ts findHolder': 'whom the operator names',
  'server/features/account/password-reset.ts resetPassword': 'the account’s own profile',
  'server/appwrite/documents/create-legacy-profile.ts freshAccountKey':
    'whether an account has a profile yet',
  'server/appwrite/documents/create-legacy-profile.ts refuseMisleadingId': 'a name is taken by anyone',
  'server/features/moderation/end-moderator-and-operator-roles.ts endModeratorAndOperatorRoles':
    'the roles of an account that has a new owner',
  'server/features/account/end-two-steps.ts recordEndOfTwoSteps':
    'the member whose two-step verification ended',
  'server/auth/end-open-invitations.ts endOpenInvitations': 'one’s own invitations, with a new password',
  'server/auth/record-token-and-file-changes.ts buildFileChangesStatement': 'whose file changed',
  'server/auth/record-token-and-file-changes.ts recordFileChange': 'a file whose change was decided before',
  'server/auth/session.ts buildSelectSession': 'who the caller is',
  'server/features/admin/instance-queries.ts measureInstance': 'how many members, for operators alone',
  'server/features/admin/instance-queries.ts measureStorage': 'sizes, for operators alone',
  'server/features/community/admit-new-account.ts whereInvitationOpen':
    'whether the inviter is still an operator',
  'server/features/community/applications.ts selectMemberToAsk':
    'whom an applicant names; only operators see whether there is one',
  'server/features/community/applications.ts endVouchRequests': 'the caller’s own row',
  'server/features/community/first-steps-routes.ts registerFirstStepsRoutes':
    'yes or no, for operators alone',
  'server/features/community/invitation-routes.ts registerInvitationRoutes':
    'the inviter for a person with the code, and the caller’s own row',
  'server/features/community/invitation-routes.ts selectInvitations':
    'who came by one’s own invitation; the member is shown through the rule',
  'server/features/community/welcome-routes.ts registerWelcomeRoutes':
    'one’s own inviter; everybody suggested is read through the rule',
  'server/features/community/promote-to-operator.ts promoteToOperator': 'whom the operator names',
  'server/features/account/find-or-create-profile.ts findOrCreateProfile': 'the account’s own profile',
  'server/features/account/find-free-username.ts findFreeUsername': 'a name is taken by anyone',
  'server/features/people/follow-request-routes.ts withdrawFollowRequest':
    'a request found through the rule before',
  'server/files/file-cleanup.ts purgeUnusedFiles': 'files without a record',
  'server/files/stored-files.ts deleteFileInStates':
    'a file found through the rule before, or left by nobody',
  'server/files/stored-files.ts makeVariant': 'a file found through the rule before',
  'server/files/warn-about-missing-pictures.ts warnAboutMissingPictures': 'server work without a caller',
  'server/files/upload-sessions.ts endIdleUploads': 'the uploader’s own open uploads',
  'server/files/upload-sessions.ts recordUploadChunk': 'an upload found through the rule before',
  'server/files/receive-upload-chunk.ts finishedElsewhere': 'an upload found through the rule before',
  'server/features/moderation/notice-and-appeal-routes.ts undoDecision':
    'what a case that the rule lets review is about',
  'server/features/moderation/notice-and-appeal-routes.ts undoSuspension':
    'what else holds about whom such a case is about',
  'server/features/moderation/read-case-evidence.ts selectNumberedReportsOfCase':
    'of a case found through the rule before',
  'server/features/moderation/read-case-evidence.ts sendEvidencePicture':
    'of a case found through the rule before',
  'server/features/moderation/read-case-evidence.ts whereAdminSeesPhoto':
    'who in a photo asked to hide it keeps it from the admin',
  'server/features/moderation/case-routes.ts readCase': 'of a case found through the rule before',
  'server/features/moderation/decide-case.ts applyDecision':
    'the reports of a case found through the rule before',
  'server/features/moderation/decide-case.ts removeComment': 'what a case that the rule lets decide is about',
  'server/features/moderation/decide-case.ts selectShown': 'what a case that the rule lets decide is about',
  'server/features/moderation/decide-case.ts selectAccountToSuspend':
    'whom a case that the rule lets decide is about',
  'server/features/moderation/decide-case.ts suspendMember': 'whom a case that the rule lets decide is about',
  'server/features/moderation/group-desk-routes.ts decide':
    'the reports of a case found through the rule before',
  'server/features/moderation/group-desk-routes.ts readGroupCase': 'of a case found through the rule before',
  'server/features/moderation/group-desk-routes.ts takeOutOfGroup':
    'what a case that the rule lets decide is about',
  'server/features/moderation/escalate-case.ts escalateCase':
    'a case that the rule lets pass on, or that no admin may look at',
  'server/features/moderation/escalate-case.ts joinCase': 'the reports of a case that joins another',
  'server/features/moderation/escalate-case.ts makeCaseAboutFormerAdmin':
    'the case of the reported content, for any reporter',
  'server/features/moderation/make-report.ts escalateOpenCases':
    'the cases of the reported content, for any reporter',
  'server/features/moderation/make-report.ts findDesk':
    'which desk takes a report, by the policy’s conditions',
  'server/features/moderation/make-report.ts insertReport':
    'how many reports of the caller’s own are in the case',
  'server/features/moderation/case-states.ts selectToldDecision':
    'the decision about what is reported, to its reporter',
  'server/features/moderation/moderators.ts findMemberKey': 'whom the operator names, for no caller',
  'server/features/moderation/moderators.ts restoreModerator': 'whom the operator names, for no caller',
  'server/features/moderation/moderators.ts listModerators': 'for the operator, for no caller',
  'server/features/moderation/capture-report-evidence.ts capturePicture':
    'the picture of a row found through the rule before',
  'server/ops/retention.ts deleteBatch': 'rows past their time',
  'server/ops/retention.ts expired': 'what still refers to an account that is deleted',
  // These parts of a data export are not read through rules.
  'server/features/data-export/stream-archive.ts joinEntryFileSql': 'the originals that the copy lists',
  'server/features/data-export/export-worker.ts claimExport': 'the profile of the account that asked',
  'server/features/data-export/exported-data-queries.ts choices': 'one’s own blocks, whom they name',
  'server/features/data-export/exported-data-queries.ts comments':
    'one’s own comments, and the posts they stand under',
  'server/features/data-export/exported-data-queries.ts groups': 'one’s own memberships',
  'server/features/data-export/exported-data-queries.ts invitations':
    'who came by one’s own invitation, shown through the rule',
  'server/features/data-export/exported-data-queries.ts posts': 'one’s own posts',
  'server/features/data-export/exported-data-queries.ts profile': 'one’s own profile',
  'server/features/data-export/exported-data-queries.ts reports': 'one’s own reports',
  'server/features/data-export/exported-data-queries.ts settings': 'one’s own profile',
  'server/features/data-export/gather-export.ts isFileThere': 'an original that the copy lists',
  'server/features/data-export/gather-export.ts readPhotos': 'the originals that the copy lists',
  'server/features/data-export/export-lifecycle.ts listPhotos': 'one’s own files',
  // The erasure of accounts has no caller.
  'server/features/deletion/column-erasure-rules.ts findUnerasedColumns': 'whether anything is left',
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
  'server/features/deletion/deletion-requests.ts findChosenHeirs':
    'the heirs that the owner chose for their own groups',
  'server/features/deletion/deletion-requests.ts previewDeletion':
    'counts one’s own; heirs come through the rule',
  'server/features/photo-tags/photo-tag-routes.ts findOwnPhoto': 'a photo of a post found through the rule',
  'server/features/photo-tags/photo-tag-routes.ts lockAuthorAndPerson': 'locks before the rule decides',
  'server/features/photo-tags/photo-tag-routes.ts refuseMoreThanFit':
    'how many are named in a photo of one’s own',
  'server/features/photo-tags/photo-tag-routes.ts registerPhotoTagRoutes':
    'photos and names found through the rule',
  'server/features/photo-tags/photos-of-me-routes.ts findCursor': 'the place of one’s own entry on a list',
  'server/features/photo-tags/photos-of-me-routes.ts registerPhotosOfMeRoutes': 'one’s own names in photos',
  'server/features/photo-tags/photos-of-me-routes.ts setHidden': 'a photo in which one is named',
  'server/features/photo-tags/sync-withheld-photos.ts syncPostWithWithheldPhotos':
    'the photos of a post whose change was decided',
  'server/features/photo-tags/select-photo-tags.ts joined': 'names that come through the rule',
  'server/features/notifications/notification-actors.ts actorsByKind':
    'what a row of the recipient’s own points at; the people in it come through the rules',
  'server/features/notifications/notification-actors.ts whereCommentRepliesTo':
    'which comment a readable one answers',
  'server/features/notifications/notification-candidates.ts candidatesByKind':
    'whom a change concerns; the rules decide when it is shown',
  'server/features/notifications/notification-routes.ts registerNotificationRoutes':
    'marks one’s own rows by what they point at',
  'server/features/notifications/notification-queries.ts deviceSql': 'a session of one’s own account',
  'server/features/notifications/notification-queries.ts isAnswered':
    'the state of a request found through the rule',
  'server/features/notifications/notification-queries.ts isWaiting':
    'the state of a request found through the rule',
  'server/features/notifications/write-notifications.ts withdrawnLikes': 'likes that are no more',
  'server/features/notifications/write-notifications.ts withinFanOut': 'how many members a group has',
  'server/features/notifications/schedule-pushes.ts scheduleMessagePushes':
    'when to look what there is to tell, which is read through the rule',
  'server/features/notifications/push/delivery-preference-routes.ts registerDeliveryPreferenceRoutes':
    'whose the secret of a letter is',
  'server/features/notifications/push/send-summaries.ts sendDueSummaries':
    'the addresses of members whose summaries are due',
  'server/realtime/fan-out.ts authorizeRecipients': 'whose session is listening',
  'server/realtime/fan-out.ts createChangeFanOut': 'the account of a new profile',
  // The store asks the policy first, then finds the dependent rows.
  'server/store/collection-definitions.ts collectionDefinitions':
    'who may hear of a change; the read rule decides at delivery',
  'server/features/comments/comment-effects.ts tombstoneAnsweredThread':
    'the post and the thread of a comment that a write is decided for',
  'server/features/comments/comment-effects.ts recordCommentRemovalInCases':
    'cases about comments whose removal was decided before',
  'server/store/collection-definitions.ts lockPostOf': 'locks the post above a comment',
  'server/store/collection-definitions.ts lockAuthorOf': 'locks the author above a post',
  'server/store/collection-definitions.ts lockGroupOf': 'locks the group above a row',
  'server/features/groups/pass-on-groups.ts declineGroup': 'the handovers of one’s own group',
  'server/features/groups/pass-on-groups.ts giveBackSuspendedGroups': 'the groups that a suspension took',
  'server/features/groups/pass-on-groups.ts hideWithoutHeir': 'whose access to a group’s posts ends',
  'server/features/posts/posts-of-leaving-members.ts selectOtherReaders':
    'whose access to the author’s posts ends; blocks are judged by the policy',
  'server/features/groups/pass-on-groups.ts lockGroupsOfSuspension':
    'locks the groups that a suspension took',
  'server/features/groups/pass-on-groups.ts passOnGroups': 'the groups of an admin who is away',
  'server/features/groups/group-audit.ts recordGroupEvent': 'public ids for the record',
  'server/features/groups/group-effects.ts changeRole': 'both memberships of a group handed over',
  'server/features/groups/delete-posts-of-deleted-groups.ts deleteNextPostBatch': 'what nobody sees any more',
  'server/features/groups/delete-posts-of-deleted-groups.ts deletePosts': 'what nobody sees any more',
  'server/store/delete-rows.ts deleteRows': 'rows of jobs that act for no caller',
  'server/features/groups/group-effects.ts beforeGroupRemoved': 'everybody in a group that ends',
  'server/features/groups/group-effects.ts afterJoinRequestDecided': 'who decided',
  'server/features/posts/post-effects.ts readersOf': 'everybody who saw a post before it moved',
  'server/features/posts/post-effects.ts whereCommentConcernsOthers':
    'what others said under a post that leaves its group',
  'server/features/posts/post-photos.ts readPostPhotos': 'the photos of the post that a write is decided for',
  'server/store/collection-definitions.ts lockConversationOf':
    'locks before the row that a write is decided for',
  'server/features/posts/posts-of-leaving-members.ts lockMemberPostsInGroup': 'locks one’s own posts',
  'server/features/posts/posts-of-leaving-members.ts hideGroupPostsOfLeavingMember':
    'everybody who saw the posts before they were taken along',
  'server/features/posts/posts-of-leaving-members.ts moveHiddenPostsOutOfGroup':
    'what stays its authors’ when a group ends',
  'server/store/change-log-writer.ts createChangeLogWriter': 'rows of which a change is told',
  'server/store/claim-uploads.ts claimUploads': 'uploads, each decided beside it',
  'server/store/change-log-writer.ts recordTouchedRowInOutbox': 'the row a new one touches',
  'server/store/store.ts createStoreTransaction': 'the row a write is decided for',
  'server/store/store.ts wasThereBefore': 'the row that a write has met, as it was before',
  // They look up keys that a rule has returned.
  'server/features/realtime/change-payloads.ts selectReferences': 'ids of the rows that a readable row names',
  'server/features/realtime/change-payloads.ts referencesOf':
    'rows whose recipients the fan-out authorizes, or a rule before',
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
  'server/appwrite/documents/routes.ts findDocument': 'a row found through the rule, and what is left of it',
  'server/appwrite/queries/queryable-attributes.ts keysOf':
    'compares ids; the rows themselves come through the rule',
  'server/features/account/close-account.ts closeAccountPassingOnGroups':
    'locks the groups of an account that closes',
  'server/features/posts/like-and-save-routes.ts setPostLike':
    'the post that the same statement found through the rule',
  'server/features/people/mute-and-restriction-lists.ts findEntry': 'the place of one’s own entry on a list',
  'server/email/email-queue.ts discardEmail': 'whose email the operator discards, for the log of acts',
  'server/features/admin/account-commands.ts findHolder': 'whom the operator names',
  'server/features/admin/account-commands.ts listAccounts': 'what a command prints to the operator',
  'server/features/admin/member-routes.ts isAfterCursor': 'for operators alone',
  'server/features/admin/member-routes.ts readMember': 'for operators alone: state and sizes',
  'server/features/moderation/decide-case.ts proposeSuspension': 'the case that the proposal concerns',
  'server/features/moderation/decide-case.ts suspendForOperator': 'whom the operator suspends',
  'server/features/admin/operator-act-routes.ts personOf': 'names in the log, for operators alone',
  'server/features/chat/message-routes.ts answeredKeyValue':
    'the message that the database compares with the conversation found through the rule',
  'server/features/posts/post-list-routes.ts likesOf': 'one’s own likes; the posts come through the rule',
  'server/features/posts/place-routes.ts registerPlaceRoutes': 'posts found through the rule',
  'server/features/posts/tag-routes.ts registerTagRoutes':
    'posts, and the tags of one, found through the rule',
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
    'the rule is its condition; or the own row',
  'server/features/comments/mention-suggestion-routes.ts selectMentionablePeople':
    'under what the scope found through the rule; each by the rule',
  'server/features/comments/write-mentions.ts commentMentionSource': 'asks who may be mentioned of each',
  'server/features/comments/select-shown-mentions.ts selectShownMentions': 'asks who may be shown of each',
  'server/features/comments/comment-routes.ts registerCommentRoutes':
    'answers of a thread under a post found through the rule',
  'server/features/comments/comment-routes.ts threadKeyValue':
    'the database refuses a thread of another post than the readable one',
  'server/features/comments/comment-routes.ts whereThreadListed':
    'answers under a post found through the rule',
  'server/features/posts/trending/rank-trending-posts.ts selectRankedPosts':
    'is the same for all readers, and tells nobody: the list asks the rule of each post',
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
  ['who sees whom', /\b(?:isActive|isMemberVisible)\b/],
  [
    'who the admin is',
    /admin_id\s*(?:=|<>|!=|in)\s*\(?\$\{|\$\{[^}]*\}\s*(?:=|<>|!=)\s*(?:\w+\.)?admin_id|\$\{[^}]*\}\s*in\s*\([^)]*admin_id/,
  ],
  [
    'the admin’s role',
    /\brole\b\}?\s*(?:={1,3}|<>|!==?)\s*'(?:admin|member)'/,
    ['server/features/groups/group-effects.ts'],
  ],
  [
    'whose account is closed',
    /\bstatus\s*(?:=|<>|!=)\s*'(?:active|blocked)'/,
    // The first file decides who may hold a session, the second who may write a first profile.
    ['server/realtime/fan-out.ts', 'server/appwrite/documents/create-legacy-profile.ts'],
  ],
  [
    'who is in a group',
    /group_members (\w+)\b(?:(?!`)[\s\S]){0,200}?\b\1\.user_id\s*(?:=|in)\s*\$\{/,
    // The first file shows a relation to a group, the second handles memberships named by old clients.
    ['server/features/groups/hydrate-groups.ts', 'server/appwrite/documents/create-document.ts'],
  ],
  ['who talks with whom', /\$\{[^}]*\}\s*in\s*\([^)]*low_id/],
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
  ['who sees whom', 'where @{isActive(p.creator_id)}'],
  ['who the admin is', 'g.admin_id = @{me.id}'],
  ['who the admin is', '@{me.id} in (t.user_id, g.admin_id)'],
  ['the admin’s role', "membership?.role === 'admin'"],
  ['the admin’s role', "m.role = 'member'"],
  ['whose account is closed', "a.status <> 'active'"],
  ['who is in a group', 'from group_members m join users u on u.id = m.user_id where m.user_id = @{me}'],
  ['who talks with whom', '@{me} in (c.low_id, c.high_id)'],
])('the check finds a planted decision outside the policy: %s, %s', (what, text) => {
  expect(decides.filter(([name, words]) => name === what && words.test(written(text)))).toHaveLength(1)
})
