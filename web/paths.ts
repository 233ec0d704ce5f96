/** Every address of the web app (spec §2). A screen links only through these. */
export const paths = {
  signIn: () => '/sign-in',
  signUp: () => '/sign-up',
  home: () => '/',
  explore: () => '/explore',
  people: () => '/all-users',
  groups: () => '/groups',
  createGroup: () => '/groups/create',
  group: (id: string) => `/groups/${encodeURIComponent(id)}`,
  groupRequests: (id: string) => `/groups/${encodeURIComponent(id)}/requests`,
  /** Beside `updatePost` and `updateProfile`; the spec knows no editing of groups. */
  updateGroup: (id: string) => `/update-group/${encodeURIComponent(id)}`,
  chat: () => '/chat',
  conversation: (id: string) => `/chat/${encodeURIComponent(id)}`,
  /** Where picking a person leads (conflict C-43). */
  pickedConversation: (id: string) => `/chat?conversation=${encodeURIComponent(id)}`,
  saved: () => '/saved',
  createPost: () => '/create-post',
  updatePost: (id: string) => `/update-post/${encodeURIComponent(id)}`,
  post: (id: string) => `/posts/${encodeURIComponent(id)}`,
  profile: (id: string) => `/profile/${encodeURIComponent(id)}`,
  likedPosts: (id: string) => `/profile/${encodeURIComponent(id)}/liked-posts`,
  updateProfile: (id: string) => `/update-profile/${encodeURIComponent(id)}`,
}
