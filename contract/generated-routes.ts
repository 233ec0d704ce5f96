/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type * as account from './account.ts'
import type * as accountSecurity from './account-security.ts'
import type * as blocks from './blocks.ts'
import type * as cases from './moderation/cases.ts'
import type * as chat from './chat.ts'
import type * as files from './files.ts'
import type * as followRequests from './follow-requests.ts'
import type * as groupMembers from './group-members.ts'
import type * as groupRequests from './group-requests.ts'
import type * as groups from './groups.ts'
import type * as mutes from './mutes.ts'
import type * as people from './people.ts'
import type * as posts from './posts.ts'
import type * as privacy from './privacy.ts'
import type * as realtime from './realtime.ts'
import type * as recovery from './recovery.ts'
import type * as reports from './moderation/reports.ts'
import type { OperationRoute } from './operation.ts'

export const completeSecondStepRoute: OperationRoute<typeof account.completeSecondStepOperation> = { method: 'PUT', path: '/sessions/current/second-step' }
export const getCurrentMemberRoute: OperationRoute<typeof account.getCurrentMemberOperation> = { method: 'GET', path: '/me' }
export const getCurrentSessionRoute: OperationRoute<typeof account.getCurrentSessionOperation> = { method: 'GET', path: '/me/session' }
export const signInRoute: OperationRoute<typeof account.signInOperation> = { method: 'POST', path: '/sessions' }
export const signOutRoute: OperationRoute<typeof account.signOutOperation> = { method: 'DELETE', path: '/sessions/current' }
export const signUpRoute: OperationRoute<typeof account.signUpOperation> = { method: 'POST', path: '/members' }
export const beginAuthenticatorRoute: OperationRoute<typeof accountSecurity.beginAuthenticatorOperation> = { method: 'POST', path: '/me/authenticator' }
export const cancelEmailChangeRoute: OperationRoute<typeof accountSecurity.cancelEmailChangeOperation> = { method: 'DELETE', path: '/me/email' }
export const changePasswordRoute: OperationRoute<typeof accountSecurity.changePasswordOperation> = { method: 'PUT', path: '/me/password' }
export const changeUsernameRoute: OperationRoute<typeof accountSecurity.changeUsernameOperation> = { method: 'PATCH', path: '/me/username' }
export const disconnectIdentityRoute: OperationRoute<typeof accountSecurity.disconnectIdentityOperation> = { method: 'DELETE', path: '/me/identities/:identityId' }
export const endDeviceRoute: OperationRoute<typeof accountSecurity.endDeviceOperation> = { method: 'DELETE', path: '/me/devices/:deviceId' }
export const endOtherDevicesRoute: OperationRoute<typeof accountSecurity.endOtherDevicesOperation> = { method: 'DELETE', path: '/me/devices' }
export const getSettingsRoute: OperationRoute<typeof accountSecurity.getSettingsOperation> = { method: 'GET', path: '/me/settings' }
export const listDevicesRoute: OperationRoute<typeof accountSecurity.listDevicesOperation> = { method: 'GET', path: '/me/devices' }
export const listSecurityEventsRoute: OperationRoute<typeof accountSecurity.listSecurityEventsOperation> = { method: 'GET', path: '/me/log' }
export const proveIdentityRoute: OperationRoute<typeof accountSecurity.proveIdentityOperation> = { method: 'POST', path: '/me/proof' }
export const renewRecoveryCodesRoute: OperationRoute<typeof accountSecurity.renewRecoveryCodesOperation> = { method: 'PUT', path: '/me/recovery-codes' }
export const requestEmailChangeRoute: OperationRoute<typeof accountSecurity.requestEmailChangeOperation> = { method: 'POST', path: '/me/email' }
export const requestEmailConfirmationRoute: OperationRoute<typeof accountSecurity.requestEmailConfirmationOperation> = { method: 'POST', path: '/me/email-confirmation' }
export const turnOffTwoStepsRoute: OperationRoute<typeof accountSecurity.turnOffTwoStepsOperation> = { method: 'DELETE', path: '/me/authenticator' }
export const turnOnTwoStepsRoute: OperationRoute<typeof accountSecurity.turnOnTwoStepsOperation> = { method: 'PUT', path: '/me/authenticator' }
export const blockMemberRoute: OperationRoute<typeof blocks.blockMemberOperation> = { method: 'PUT', path: '/people/:personId/block' }
export const listBlocksRoute: OperationRoute<typeof blocks.listBlocksOperation> = { method: 'GET', path: '/me/blocks' }
export const previewBlockRoute: OperationRoute<typeof blocks.previewBlockOperation> = { method: 'GET', path: '/people/:personId/block' }
export const unblockMemberRoute: OperationRoute<typeof blocks.unblockMemberOperation> = { method: 'DELETE', path: '/people/:personId/block' }
export const updateBlockRoute: OperationRoute<typeof blocks.updateBlockOperation> = { method: 'PATCH', path: '/me/blocks/:blockId' }
export const claimCaseRoute: OperationRoute<typeof cases.claimCaseOperation> = { method: 'POST', path: '/moderation/cases/:caseId/claim' }
export const decideCaseRoute: OperationRoute<typeof cases.decideCaseOperation> = { method: 'POST', path: '/moderation/cases/:caseId/decision' }
export const enterModerationRoute: OperationRoute<typeof cases.enterModerationOperation> = { method: 'POST', path: '/moderation/entry' }
export const getCaseRoute: OperationRoute<typeof cases.getCaseOperation> = { method: 'GET', path: '/moderation/cases/:caseId' }
export const getEvidencePictureRoute: OperationRoute<typeof cases.getEvidencePictureOperation> = { method: 'GET', path: '/moderation/cases/:caseId/evidence/:place/picture' }
export const listCasesRoute: OperationRoute<typeof cases.listCasesOperation> = { method: 'GET', path: '/moderation/cases' }
export const releaseCaseRoute: OperationRoute<typeof cases.releaseCaseOperation> = { method: 'POST', path: '/moderation/cases/:caseId/release' }
export const acceptMessageRequestRoute: OperationRoute<typeof chat.acceptMessageRequestOperation> = { method: 'POST', path: '/conversations/:conversationId/accept' }
export const countMessageRequestsRoute: OperationRoute<typeof chat.countMessageRequestsOperation> = { method: 'GET', path: '/me/message-requests/count' }
export const countUnreadConversationsRoute: OperationRoute<typeof chat.countUnreadConversationsOperation> = { method: 'GET', path: '/me/unread-conversations' }
export const declineMessageRequestRoute: OperationRoute<typeof chat.declineMessageRequestOperation> = { method: 'POST', path: '/conversations/:conversationId/decline' }
export const getConversationRoute: OperationRoute<typeof chat.getConversationOperation> = { method: 'GET', path: '/conversations/:conversationId' }
export const listConversationsRoute: OperationRoute<typeof chat.listConversationsOperation> = { method: 'GET', path: '/conversations' }
export const listMessageRequestsRoute: OperationRoute<typeof chat.listMessageRequestsOperation> = { method: 'GET', path: '/message-requests' }
export const listMessagesRoute: OperationRoute<typeof chat.listMessagesOperation> = { method: 'GET', path: '/conversations/:conversationId/messages' }
export const markReadRoute: OperationRoute<typeof chat.markReadOperation> = { method: 'PUT', path: '/conversations/:conversationId/read' }
export const openConversationRoute: OperationRoute<typeof chat.openConversationOperation> = { method: 'POST', path: '/conversations' }
export const sendMessageRoute: OperationRoute<typeof chat.sendMessageOperation> = { method: 'POST', path: '/conversations/:conversationId/messages' }
export const deleteFileRoute: OperationRoute<typeof files.deleteFileOperation> = { method: 'DELETE', path: '/files/:fileId' }
export const getFileContentRoute: OperationRoute<typeof files.getFileContentOperation> = { method: 'GET', path: '/files/:fileId/content' }
export const getFileRoute: OperationRoute<typeof files.getFileOperation> = { method: 'GET', path: '/files/:fileId' }
export const uploadChunkRoute: OperationRoute<typeof files.uploadChunkOperation> = { method: 'POST', path: '/files/:fileId/chunks' }
export const uploadFileRoute: OperationRoute<typeof files.uploadFileOperation> = { method: 'POST', path: '/files' }
export const approveFollowRequestRoute: OperationRoute<typeof followRequests.approveFollowRequestOperation> = { method: 'POST', path: '/me/follow-requests/:requestId/approve' }
export const countFollowRequestsRoute: OperationRoute<typeof followRequests.countFollowRequestsOperation> = { method: 'GET', path: '/me/follow-requests/count' }
export const declineFollowRequestRoute: OperationRoute<typeof followRequests.declineFollowRequestOperation> = { method: 'POST', path: '/me/follow-requests/:requestId/decline' }
export const listFollowRequestsRoute: OperationRoute<typeof followRequests.listFollowRequestsOperation> = { method: 'GET', path: '/me/follow-requests' }
export const checkMembershipRoute: OperationRoute<typeof groupMembers.checkMembershipOperation> = { method: 'GET', path: '/groups/:groupId/membership' }
export const handOverGroupRoute: OperationRoute<typeof groupMembers.handOverGroupOperation> = { method: 'PUT', path: '/groups/:groupId/admin' }
export const leaveGroupRoute: OperationRoute<typeof groupMembers.leaveGroupOperation> = { method: 'DELETE', path: '/groups/:groupId/membership' }
export const listMembersRoute: OperationRoute<typeof groupMembers.listMembersOperation> = { method: 'GET', path: '/groups/:groupId/members' }
export const removeMemberRoute: OperationRoute<typeof groupMembers.removeMemberOperation> = { method: 'DELETE', path: '/groups/:groupId/members/:memberId' }
export const approveJoinRequestRoute: OperationRoute<typeof groupRequests.approveJoinRequestOperation> = { method: 'POST', path: '/group-requests/:requestId/approve' }
export const getLatestJoinRequestRoute: OperationRoute<typeof groupRequests.getLatestJoinRequestOperation> = { method: 'GET', path: '/groups/:groupId/requests/latest' }
export const listPendingJoinRequestsRoute: OperationRoute<typeof groupRequests.listPendingJoinRequestsOperation> = { method: 'GET', path: '/group-requests' }
export const rejectJoinRequestRoute: OperationRoute<typeof groupRequests.rejectJoinRequestOperation> = { method: 'POST', path: '/group-requests/:requestId/reject' }
export const requestToJoinRoute: OperationRoute<typeof groupRequests.requestToJoinOperation> = { method: 'POST', path: '/groups/:groupId/requests' }
export const withdrawJoinRequestRoute: OperationRoute<typeof groupRequests.withdrawJoinRequestOperation> = { method: 'DELETE', path: '/group-requests/:requestId' }
export const createGroupRoute: OperationRoute<typeof groups.createGroupOperation> = { method: 'POST', path: '/groups' }
export const deleteGroupRoute: OperationRoute<typeof groups.deleteGroupOperation> = { method: 'DELETE', path: '/groups/:groupId' }
export const getGroupRoute: OperationRoute<typeof groups.getGroupOperation> = { method: 'GET', path: '/groups/:groupId' }
export const listGroupPostsRoute: OperationRoute<typeof groups.listGroupPostsOperation> = { method: 'GET', path: '/groups/:groupId/posts' }
export const listGroupsRoute: OperationRoute<typeof groups.listGroupsOperation> = { method: 'GET', path: '/groups' }
export const listMyGroupsRoute: OperationRoute<typeof groups.listMyGroupsOperation> = { method: 'GET', path: '/me/groups' }
export const listMyGroupsPostsRoute: OperationRoute<typeof groups.listMyGroupsPostsOperation> = { method: 'GET', path: '/me/groups/posts' }
export const searchGroupsRoute: OperationRoute<typeof groups.searchGroupsOperation> = { method: 'GET', path: '/search/groups' }
export const updateGroupRoute: OperationRoute<typeof groups.updateGroupOperation> = { method: 'PATCH', path: '/groups/:groupId' }
export const getMuteRoute: OperationRoute<typeof mutes.getMuteOperation> = { method: 'GET', path: '/people/:personId/mute' }
export const getRestrictionRoute: OperationRoute<typeof mutes.getRestrictionOperation> = { method: 'GET', path: '/people/:personId/restriction' }
export const listMutedMembersRoute: OperationRoute<typeof mutes.listMutedMembersOperation> = { method: 'GET', path: '/me/mutes' }
export const listRestrictedMembersRoute: OperationRoute<typeof mutes.listRestrictedMembersOperation> = { method: 'GET', path: '/me/restrictions' }
export const muteMemberRoute: OperationRoute<typeof mutes.muteMemberOperation> = { method: 'PUT', path: '/people/:personId/mute' }
export const restrictMemberRoute: OperationRoute<typeof mutes.restrictMemberOperation> = { method: 'PUT', path: '/people/:personId/restriction' }
export const unmuteMemberRoute: OperationRoute<typeof mutes.unmuteMemberOperation> = { method: 'DELETE', path: '/people/:personId/mute' }
export const unrestrictMemberRoute: OperationRoute<typeof mutes.unrestrictMemberOperation> = { method: 'DELETE', path: '/people/:personId/restriction' }
export const followRoute: OperationRoute<typeof people.followOperation> = { method: 'PUT', path: '/people/:personId/follow' }
export const getInitialsRoute: OperationRoute<typeof people.getInitialsOperation> = { method: 'GET', path: '/people/avatars/initials' }
export const getPersonRoute: OperationRoute<typeof people.getPersonOperation> = { method: 'GET', path: '/people/:personId' }
export const isFollowingRoute: OperationRoute<typeof people.isFollowingOperation> = { method: 'GET', path: '/people/:personId/follow' }
export const listFollowersRoute: OperationRoute<typeof people.listFollowersOperation> = { method: 'GET', path: '/people/:personId/followers' }
export const listFollowingRoute: OperationRoute<typeof people.listFollowingOperation> = { method: 'GET', path: '/people/:personId/following' }
export const listPeopleRoute: OperationRoute<typeof people.listPeopleOperation> = { method: 'GET', path: '/people' }
export const searchPeopleRoute: OperationRoute<typeof people.searchPeopleOperation> = { method: 'GET', path: '/search/people' }
export const unfollowRoute: OperationRoute<typeof people.unfollowOperation> = { method: 'DELETE', path: '/people/:personId/follow' }
export const updateProfileRoute: OperationRoute<typeof people.updateProfileOperation> = { method: 'PATCH', path: '/people/:personId' }
export const createPostRoute: OperationRoute<typeof posts.createPostOperation> = { method: 'POST', path: '/posts' }
export const deletePostRoute: OperationRoute<typeof posts.deletePostOperation> = { method: 'DELETE', path: '/posts/:postId' }
export const explorePostsRoute: OperationRoute<typeof posts.explorePostsOperation> = { method: 'GET', path: '/explore' }
export const getHomeFeedRoute: OperationRoute<typeof posts.getHomeFeedOperation> = { method: 'GET', path: '/feed' }
export const getPostRoute: OperationRoute<typeof posts.getPostOperation> = { method: 'GET', path: '/posts/:postId' }
export const likePostRoute: OperationRoute<typeof posts.likePostOperation> = { method: 'PUT', path: '/posts/:postId/like' }
export const listLikedPostsRoute: OperationRoute<typeof posts.listLikedPostsOperation> = { method: 'GET', path: '/liked' }
export const listLikersRoute: OperationRoute<typeof posts.listLikersOperation> = { method: 'GET', path: '/posts/:postId/likers' }
export const listPersonPostsRoute: OperationRoute<typeof posts.listPersonPostsOperation> = { method: 'GET', path: '/people/:personId/posts' }
export const listSavedPostsRoute: OperationRoute<typeof posts.listSavedPostsOperation> = { method: 'GET', path: '/saved' }
export const savePostRoute: OperationRoute<typeof posts.savePostOperation> = { method: 'PUT', path: '/posts/:postId/save' }
export const searchPostsRoute: OperationRoute<typeof posts.searchPostsOperation> = { method: 'GET', path: '/search/posts' }
export const unlikePostRoute: OperationRoute<typeof posts.unlikePostOperation> = { method: 'DELETE', path: '/posts/:postId/like' }
export const unsavePostRoute: OperationRoute<typeof posts.unsavePostOperation> = { method: 'DELETE', path: '/posts/:postId/save' }
export const updatePostRoute: OperationRoute<typeof posts.updatePostOperation> = { method: 'PATCH', path: '/posts/:postId' }
export const getPrivacySettingsRoute: OperationRoute<typeof privacy.getPrivacySettingsOperation> = { method: 'GET', path: '/me/privacy' }
export const removeFollowerRoute: OperationRoute<typeof privacy.removeFollowerOperation> = { method: 'DELETE', path: '/me/followers/:personId' }
export const updatePrivacySettingsRoute: OperationRoute<typeof privacy.updatePrivacySettingsOperation> = { method: 'PATCH', path: '/me/privacy' }
export const catchUpRoute: OperationRoute<typeof realtime.catchUpOperation> = { method: 'GET', path: '/live/changes' }
export const confirmEmailRoute: OperationRoute<typeof recovery.confirmEmailOperation> = { method: 'PUT', path: '/email-confirmation' }
export const getCommunityRoute: OperationRoute<typeof recovery.getCommunityOperation> = { method: 'GET', path: '/community' }
export const requestPasswordResetRoute: OperationRoute<typeof recovery.requestPasswordResetOperation> = { method: 'POST', path: '/recovery' }
export const requestSignInLinkRoute: OperationRoute<typeof recovery.requestSignInLinkOperation> = { method: 'POST', path: '/sign-in-link' }
export const resetPasswordRoute: OperationRoute<typeof recovery.resetPasswordOperation> = { method: 'PUT', path: '/recovery' }
export const signInByLinkRoute: OperationRoute<typeof recovery.signInByLinkOperation> = { method: 'PUT', path: '/sign-in-link' }
export const undoEmailChangeRoute: OperationRoute<typeof recovery.undoEmailChangeOperation> = { method: 'PUT', path: '/email-undo' }
export const createReportRoute: OperationRoute<typeof reports.createReportOperation> = { method: 'POST', path: '/reports' }
export const listMyReportsRoute: OperationRoute<typeof reports.listMyReportsOperation> = { method: 'GET', path: '/me/reports' }
