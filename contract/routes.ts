/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type * as account from './account.ts'
import type * as chat from './chat.ts'
import type * as groupMembers from './group-members.ts'
import type * as groupRequests from './group-requests.ts'
import type * as groups from './groups.ts'
import type * as live from './live.ts'
import type * as people from './people.ts'
import type * as posts from './posts.ts'
import type { Route } from './operation.ts'

export const currentMember: Route<typeof account.currentMember> = { method: 'GET', path: '/me' }
export const signUp: Route<typeof account.signUp> = { method: 'POST', path: '/members' }
export const countUnread: Route<typeof chat.countUnread> = { method: 'GET', path: '/me/unread-conversations' }
export const getConversation: Route<typeof chat.getConversation> = { method: 'GET', path: '/conversations/:conversationId' }
export const listConversations: Route<typeof chat.listConversations> = { method: 'GET', path: '/conversations' }
export const listMessages: Route<typeof chat.listMessages> = { method: 'GET', path: '/conversations/:conversationId/messages' }
export const markRead: Route<typeof chat.markRead> = { method: 'PUT', path: '/conversations/:conversationId/read' }
export const openConversation: Route<typeof chat.openConversation> = { method: 'POST', path: '/conversations' }
export const sendMessage: Route<typeof chat.sendMessage> = { method: 'POST', path: '/conversations/:conversationId/messages' }
export const checkMembership: Route<typeof groupMembers.checkMembership> = { method: 'GET', path: '/groups/:groupId/membership' }
export const handOverGroup: Route<typeof groupMembers.handOverGroup> = { method: 'PUT', path: '/groups/:groupId/admin' }
export const leaveGroup: Route<typeof groupMembers.leaveGroup> = { method: 'DELETE', path: '/groups/:groupId/membership' }
export const listMembers: Route<typeof groupMembers.listMembers> = { method: 'GET', path: '/groups/:groupId/members' }
export const removeMember: Route<typeof groupMembers.removeMember> = { method: 'DELETE', path: '/groups/:groupId/members/:memberId' }
export const approveRequest: Route<typeof groupRequests.approveRequest> = { method: 'POST', path: '/group-requests/:requestId/approve' }
export const latestRequest: Route<typeof groupRequests.latestRequest> = { method: 'GET', path: '/groups/:groupId/requests/latest' }
export const pendingRequests: Route<typeof groupRequests.pendingRequests> = { method: 'GET', path: '/group-requests' }
export const rejectRequest: Route<typeof groupRequests.rejectRequest> = { method: 'POST', path: '/group-requests/:requestId/reject' }
export const requestToJoin: Route<typeof groupRequests.requestToJoin> = { method: 'POST', path: '/groups/:groupId/requests' }
export const withdrawRequest: Route<typeof groupRequests.withdrawRequest> = { method: 'DELETE', path: '/group-requests/:requestId' }
export const createGroup: Route<typeof groups.createGroup> = { method: 'POST', path: '/groups' }
export const deleteGroup: Route<typeof groups.deleteGroup> = { method: 'DELETE', path: '/groups/:groupId' }
export const getGroup: Route<typeof groups.getGroup> = { method: 'GET', path: '/groups/:groupId' }
export const groupPosts: Route<typeof groups.groupPosts> = { method: 'GET', path: '/groups/:groupId/posts' }
export const listGroups: Route<typeof groups.listGroups> = { method: 'GET', path: '/groups' }
export const myGroups: Route<typeof groups.myGroups> = { method: 'GET', path: '/me/groups' }
export const myGroupsPosts: Route<typeof groups.myGroupsPosts> = { method: 'GET', path: '/me/groups/posts' }
export const searchGroups: Route<typeof groups.searchGroups> = { method: 'GET', path: '/search/groups' }
export const updateGroup: Route<typeof groups.updateGroup> = { method: 'PATCH', path: '/groups/:groupId' }
export const catchUp: Route<typeof live.catchUp> = { method: 'GET', path: '/live/changes' }
export const follow: Route<typeof people.follow> = { method: 'PUT', path: '/people/:personId/follow' }
export const getPerson: Route<typeof people.getPerson> = { method: 'GET', path: '/people/:personId' }
export const isFollowing: Route<typeof people.isFollowing> = { method: 'GET', path: '/people/:personId/follow' }
export const listFollowers: Route<typeof people.listFollowers> = { method: 'GET', path: '/people/:personId/followers' }
export const listFollowing: Route<typeof people.listFollowing> = { method: 'GET', path: '/people/:personId/following' }
export const listPeople: Route<typeof people.listPeople> = { method: 'GET', path: '/people' }
export const searchPeople: Route<typeof people.searchPeople> = { method: 'GET', path: '/search/people' }
export const unfollow: Route<typeof people.unfollow> = { method: 'DELETE', path: '/people/:personId/follow' }
export const updatePerson: Route<typeof people.updatePerson> = { method: 'PATCH', path: '/people/:personId' }
export const createPost: Route<typeof posts.createPost> = { method: 'POST', path: '/posts' }
export const deletePost: Route<typeof posts.deletePost> = { method: 'DELETE', path: '/posts/:postId' }
export const explorePosts: Route<typeof posts.explorePosts> = { method: 'GET', path: '/explore' }
export const getPost: Route<typeof posts.getPost> = { method: 'GET', path: '/posts/:postId' }
export const homeFeed: Route<typeof posts.homeFeed> = { method: 'GET', path: '/feed' }
export const likePost: Route<typeof posts.likePost> = { method: 'PUT', path: '/posts/:postId/like' }
export const likedPosts: Route<typeof posts.likedPosts> = { method: 'GET', path: '/liked' }
export const postsByPerson: Route<typeof posts.postsByPerson> = { method: 'GET', path: '/people/:personId/posts' }
export const savePost: Route<typeof posts.savePost> = { method: 'PUT', path: '/posts/:postId/save' }
export const savedPosts: Route<typeof posts.savedPosts> = { method: 'GET', path: '/saved' }
export const searchPosts: Route<typeof posts.searchPosts> = { method: 'GET', path: '/search/posts' }
export const unlikePost: Route<typeof posts.unlikePost> = { method: 'DELETE', path: '/posts/:postId/like' }
export const unsavePost: Route<typeof posts.unsavePost> = { method: 'DELETE', path: '/posts/:postId/save' }
export const updatePost: Route<typeof posts.updatePost> = { method: 'PATCH', path: '/posts/:postId' }
