/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type * as account from './account.ts'
import type * as accountSettings from './account-settings.ts'
import type * as blocks from './blocks.ts'
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
import type { OperationRoute } from './operation.ts'

export const getCurrentMember: OperationRoute<typeof account.getCurrentMember> = { method: 'GET', path: '/me' }
export const getCurrentSession: OperationRoute<typeof account.getCurrentSession> = { method: 'GET', path: '/me/session' }
export const signIn: OperationRoute<typeof account.signIn> = { method: 'POST', path: '/sessions' }
export const signOut: OperationRoute<typeof account.signOut> = { method: 'DELETE', path: '/sessions/current' }
export const signUp: OperationRoute<typeof account.signUp> = { method: 'POST', path: '/members' }
export const cancelEmailChange: OperationRoute<typeof accountSettings.cancelEmailChange> = { method: 'DELETE', path: '/me/email' }
export const changePassword: OperationRoute<typeof accountSettings.changePassword> = { method: 'PUT', path: '/me/password' }
export const endDevice: OperationRoute<typeof accountSettings.endDevice> = { method: 'DELETE', path: '/me/devices/:deviceId' }
export const endOtherDevices: OperationRoute<typeof accountSettings.endOtherDevices> = { method: 'DELETE', path: '/me/devices' }
export const getSettings: OperationRoute<typeof accountSettings.getSettings> = { method: 'GET', path: '/me/settings' }
export const listDevices: OperationRoute<typeof accountSettings.listDevices> = { method: 'GET', path: '/me/devices' }
export const listSecurityEvents: OperationRoute<typeof accountSettings.listSecurityEvents> = { method: 'GET', path: '/me/log' }
export const proveIdentity: OperationRoute<typeof accountSettings.proveIdentity> = { method: 'POST', path: '/me/proof' }
export const requestEmailChange: OperationRoute<typeof accountSettings.requestEmailChange> = { method: 'POST', path: '/me/email' }
export const requestEmailConfirmation: OperationRoute<typeof accountSettings.requestEmailConfirmation> = { method: 'POST', path: '/me/email-confirmation' }
export const blockMember: OperationRoute<typeof blocks.blockMember> = { method: 'PUT', path: '/people/:personId/block' }
export const listBlocks: OperationRoute<typeof blocks.listBlocks> = { method: 'GET', path: '/me/blocks' }
export const previewBlock: OperationRoute<typeof blocks.previewBlock> = { method: 'GET', path: '/people/:personId/block' }
export const unblockMember: OperationRoute<typeof blocks.unblockMember> = { method: 'DELETE', path: '/people/:personId/block' }
export const updateBlock: OperationRoute<typeof blocks.updateBlock> = { method: 'PATCH', path: '/me/blocks/:blockId' }
export const countUnreadConversations: OperationRoute<typeof chat.countUnreadConversations> = { method: 'GET', path: '/me/unread-conversations' }
export const getConversation: OperationRoute<typeof chat.getConversation> = { method: 'GET', path: '/conversations/:conversationId' }
export const listConversations: OperationRoute<typeof chat.listConversations> = { method: 'GET', path: '/conversations' }
export const listMessages: OperationRoute<typeof chat.listMessages> = { method: 'GET', path: '/conversations/:conversationId/messages' }
export const markRead: OperationRoute<typeof chat.markRead> = { method: 'PUT', path: '/conversations/:conversationId/read' }
export const openConversation: OperationRoute<typeof chat.openConversation> = { method: 'POST', path: '/conversations' }
export const sendMessage: OperationRoute<typeof chat.sendMessage> = { method: 'POST', path: '/conversations/:conversationId/messages' }
export const deleteFile: OperationRoute<typeof files.deleteFile> = { method: 'DELETE', path: '/files/:fileId' }
export const getFile: OperationRoute<typeof files.getFile> = { method: 'GET', path: '/files/:fileId' }
export const getFileContent: OperationRoute<typeof files.getFileContent> = { method: 'GET', path: '/files/:fileId/content' }
export const uploadChunk: OperationRoute<typeof files.uploadChunk> = { method: 'POST', path: '/files/:fileId/chunks' }
export const uploadFile: OperationRoute<typeof files.uploadFile> = { method: 'POST', path: '/files' }
export const approveFollowRequest: OperationRoute<typeof followRequests.approveFollowRequest> = { method: 'POST', path: '/me/follow-requests/:requestId/approve' }
export const countFollowRequests: OperationRoute<typeof followRequests.countFollowRequests> = { method: 'GET', path: '/me/follow-requests/count' }
export const declineFollowRequest: OperationRoute<typeof followRequests.declineFollowRequest> = { method: 'POST', path: '/me/follow-requests/:requestId/decline' }
export const listFollowRequests: OperationRoute<typeof followRequests.listFollowRequests> = { method: 'GET', path: '/me/follow-requests' }
export const checkMembership: OperationRoute<typeof groupMembers.checkMembership> = { method: 'GET', path: '/groups/:groupId/membership' }
export const handOverGroup: OperationRoute<typeof groupMembers.handOverGroup> = { method: 'PUT', path: '/groups/:groupId/admin' }
export const leaveGroup: OperationRoute<typeof groupMembers.leaveGroup> = { method: 'DELETE', path: '/groups/:groupId/membership' }
export const listMembers: OperationRoute<typeof groupMembers.listMembers> = { method: 'GET', path: '/groups/:groupId/members' }
export const removeMember: OperationRoute<typeof groupMembers.removeMember> = { method: 'DELETE', path: '/groups/:groupId/members/:memberId' }
export const approveJoinRequest: OperationRoute<typeof groupRequests.approveJoinRequest> = { method: 'POST', path: '/group-requests/:requestId/approve' }
export const getLatestJoinRequest: OperationRoute<typeof groupRequests.getLatestJoinRequest> = { method: 'GET', path: '/groups/:groupId/requests/latest' }
export const listPendingJoinRequests: OperationRoute<typeof groupRequests.listPendingJoinRequests> = { method: 'GET', path: '/group-requests' }
export const rejectJoinRequest: OperationRoute<typeof groupRequests.rejectJoinRequest> = { method: 'POST', path: '/group-requests/:requestId/reject' }
export const requestToJoin: OperationRoute<typeof groupRequests.requestToJoin> = { method: 'POST', path: '/groups/:groupId/requests' }
export const withdrawJoinRequest: OperationRoute<typeof groupRequests.withdrawJoinRequest> = { method: 'DELETE', path: '/group-requests/:requestId' }
export const createGroup: OperationRoute<typeof groups.createGroup> = { method: 'POST', path: '/groups' }
export const deleteGroup: OperationRoute<typeof groups.deleteGroup> = { method: 'DELETE', path: '/groups/:groupId' }
export const getGroup: OperationRoute<typeof groups.getGroup> = { method: 'GET', path: '/groups/:groupId' }
export const listGroupPosts: OperationRoute<typeof groups.listGroupPosts> = { method: 'GET', path: '/groups/:groupId/posts' }
export const listGroups: OperationRoute<typeof groups.listGroups> = { method: 'GET', path: '/groups' }
export const listMyGroups: OperationRoute<typeof groups.listMyGroups> = { method: 'GET', path: '/me/groups' }
export const listMyGroupsPosts: OperationRoute<typeof groups.listMyGroupsPosts> = { method: 'GET', path: '/me/groups/posts' }
export const searchGroups: OperationRoute<typeof groups.searchGroups> = { method: 'GET', path: '/search/groups' }
export const updateGroup: OperationRoute<typeof groups.updateGroup> = { method: 'PATCH', path: '/groups/:groupId' }
export const getMute: OperationRoute<typeof mutes.getMute> = { method: 'GET', path: '/people/:personId/mute' }
export const listMutedMembers: OperationRoute<typeof mutes.listMutedMembers> = { method: 'GET', path: '/me/mutes' }
export const muteMember: OperationRoute<typeof mutes.muteMember> = { method: 'PUT', path: '/people/:personId/mute' }
export const unmuteMember: OperationRoute<typeof mutes.unmuteMember> = { method: 'DELETE', path: '/people/:personId/mute' }
export const follow: OperationRoute<typeof people.follow> = { method: 'PUT', path: '/people/:personId/follow' }
export const getInitials: OperationRoute<typeof people.getInitials> = { method: 'GET', path: '/people/avatars/initials' }
export const getPerson: OperationRoute<typeof people.getPerson> = { method: 'GET', path: '/people/:personId' }
export const isFollowing: OperationRoute<typeof people.isFollowing> = { method: 'GET', path: '/people/:personId/follow' }
export const listFollowers: OperationRoute<typeof people.listFollowers> = { method: 'GET', path: '/people/:personId/followers' }
export const listFollowing: OperationRoute<typeof people.listFollowing> = { method: 'GET', path: '/people/:personId/following' }
export const listPeople: OperationRoute<typeof people.listPeople> = { method: 'GET', path: '/people' }
export const searchPeople: OperationRoute<typeof people.searchPeople> = { method: 'GET', path: '/search/people' }
export const unfollow: OperationRoute<typeof people.unfollow> = { method: 'DELETE', path: '/people/:personId/follow' }
export const updateProfile: OperationRoute<typeof people.updateProfile> = { method: 'PATCH', path: '/people/:personId' }
export const createPost: OperationRoute<typeof posts.createPost> = { method: 'POST', path: '/posts' }
export const deletePost: OperationRoute<typeof posts.deletePost> = { method: 'DELETE', path: '/posts/:postId' }
export const explorePosts: OperationRoute<typeof posts.explorePosts> = { method: 'GET', path: '/explore' }
export const getHomeFeed: OperationRoute<typeof posts.getHomeFeed> = { method: 'GET', path: '/feed' }
export const getPost: OperationRoute<typeof posts.getPost> = { method: 'GET', path: '/posts/:postId' }
export const likePost: OperationRoute<typeof posts.likePost> = { method: 'PUT', path: '/posts/:postId/like' }
export const listLikedPosts: OperationRoute<typeof posts.listLikedPosts> = { method: 'GET', path: '/liked' }
export const listLikers: OperationRoute<typeof posts.listLikers> = { method: 'GET', path: '/posts/:postId/likers' }
export const listPersonPosts: OperationRoute<typeof posts.listPersonPosts> = { method: 'GET', path: '/people/:personId/posts' }
export const listSavedPosts: OperationRoute<typeof posts.listSavedPosts> = { method: 'GET', path: '/saved' }
export const savePost: OperationRoute<typeof posts.savePost> = { method: 'PUT', path: '/posts/:postId/save' }
export const searchPosts: OperationRoute<typeof posts.searchPosts> = { method: 'GET', path: '/search/posts' }
export const unlikePost: OperationRoute<typeof posts.unlikePost> = { method: 'DELETE', path: '/posts/:postId/like' }
export const unsavePost: OperationRoute<typeof posts.unsavePost> = { method: 'DELETE', path: '/posts/:postId/save' }
export const updatePost: OperationRoute<typeof posts.updatePost> = { method: 'PATCH', path: '/posts/:postId' }
export const getPrivacySettings: OperationRoute<typeof privacy.getPrivacySettings> = { method: 'GET', path: '/me/privacy' }
export const removeFollower: OperationRoute<typeof privacy.removeFollower> = { method: 'DELETE', path: '/me/followers/:personId' }
export const updatePrivacySettings: OperationRoute<typeof privacy.updatePrivacySettings> = { method: 'PATCH', path: '/me/privacy' }
export const catchUp: OperationRoute<typeof realtime.catchUp> = { method: 'GET', path: '/live/changes' }
export const confirmEmail: OperationRoute<typeof recovery.confirmEmail> = { method: 'PUT', path: '/email-confirmation' }
export const getCommunity: OperationRoute<typeof recovery.getCommunity> = { method: 'GET', path: '/community' }
export const requestPasswordReset: OperationRoute<typeof recovery.requestPasswordReset> = { method: 'POST', path: '/recovery' }
export const requestSignInLink: OperationRoute<typeof recovery.requestSignInLink> = { method: 'POST', path: '/sign-in-link' }
export const resetPassword: OperationRoute<typeof recovery.resetPassword> = { method: 'PUT', path: '/recovery' }
export const signInByLink: OperationRoute<typeof recovery.signInByLink> = { method: 'PUT', path: '/sign-in-link' }
export const undoEmailChange: OperationRoute<typeof recovery.undoEmailChange> = { method: 'PUT', path: '/email-undo' }
