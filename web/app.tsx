/** Every screen and the address it has (spec §2). */
import { Suspense } from 'react'
import { Route, Routes, useLocation } from 'react-router'
import { askAhead } from './ahead.ts'
import { checkSession } from './features/account/session.ts'
import { ErrorBoundary, NotFoundScreen } from './layout/error-page.tsx'
import { MembersOnly } from './layout/members-only.tsx'
import { useIntent } from './layout/on-intent.ts'
import { part } from './layout/part.tsx'
import { useScrollMemory } from './layout/scroll-memory.ts'
import { VisitorLayout } from './layout/visitor-layout.tsx'
import { paths } from './paths.ts'
import { ToastArea } from './ui/toast-area.tsx'

const load = {
  memberLayout: () => import('./layout/member-layout.tsx'),
  home: () => import('./features/posts/home-screen.tsx'),
  chat: () => import('./features/chat/chat-screen.tsx'),
  explore: () => import('./features/posts/explore-screen.tsx'),
  saved: () => import('./features/posts/saved-screen.tsx'),
  post: () => import('./features/posts/post-screen.tsx'),
  editPost: () => import('./features/posts/edit-post-screen.tsx'),
  createPost: () => import('./features/posts/create-post-screen.tsx'),
  groups: () => import('./features/groups/groups-screen.tsx'),
  createGroup: () => import('./features/groups/create-group-screen.tsx'),
  group: () => import('./features/groups/group-screen.tsx'),
  groupRequests: () => import('./features/groups/requests-screen.tsx'),
  editGroup: () => import('./features/groups/edit-group-screen.tsx'),
  people: () => import('./features/people/people-screen.tsx'),
  profile: () => import('./features/people/profile-screen.tsx'),
  editProfile: () => import('./features/people/edit-profile-screen.tsx'),
  signIn: () => import('./features/account/sign-in-screen.tsx'),
  signUp: () => import('./features/account/sign-up-screen.tsx'),
}

const MemberLayout = part(load.memberLayout, 'MemberLayout')
const HomeScreen = part(load.home, 'HomeScreen')
const ChatScreen = part(load.chat, 'ChatScreen')
const ExploreScreen = part(load.explore, 'ExploreScreen')
const SavedScreen = part(load.saved, 'SavedScreen')
const PostScreen = part(load.post, 'PostScreen')
const EditPostScreen = part(load.editPost, 'EditPostScreen')
const CreatePostScreen = part(load.createPost, 'CreatePostScreen')
const GroupsScreen = part(load.groups, 'GroupsScreen')
const CreateGroupScreen = part(load.createGroup, 'CreateGroupScreen')
const GroupScreen = part(load.group, 'GroupScreen')
const RequestsScreen = part(load.groupRequests, 'RequestsScreen')
const EditGroupScreen = part(load.editGroup, 'EditGroupScreen')
const PeopleScreen = part(load.people, 'PeopleScreen')
const ProfileScreen = part(load.profile, 'ProfileScreen')
const EditProfileScreen = part(load.editProfile, 'EditProfileScreen')
const SignInScreen = part(load.signIn, 'SignInScreen')
const SignUpScreen = part(load.signUp, 'SignUpScreen')

const authPages: Partial<Record<string, () => Promise<unknown>>> = {
  [paths.signIn()]: load.signIn,
  [paths.signUp()]: load.signUp,
}

/** The code behind an address, the longer of two beginnings first. */
const codeBehind: readonly [beginning: string, code: () => Promise<unknown>][] = [
  ['/explore', load.explore],
  ['/saved', load.saved],
  ['/posts/', load.post],
  ['/create-post', load.createPost],
  ['/update-post/', load.editPost],
  ['/all-users', load.people],
  ['/profile/', load.profile],
  ['/update-profile/', load.editProfile],
  ['/groups/create', load.createGroup],
  ['/groups/', load.group],
  ['/groups', load.groups],
  ['/chat', load.chat],
]

function fetchCode(pathname: string): void {
  const found = codeBehind.find(([beginning]) => pathname.startsWith(beginning))
  found?.[1]().catch(() => {})
}

/** Asks for everything the first page needs at once: who she is, the page's code and its contents. */
export function preload(pathname: string): void {
  void checkSession()
  const authPage = authPages[pathname]
  if (!authPage) askAhead(pathname)
  const code = authPage ? [authPage()] : [load.memberLayout(), pathname === paths.home() && load.home()]
  // A part that fails to load says so where it is shown.
  Promise.all(code).catch(() => {})
}

export function App() {
  const { pathname } = useLocation()
  useScrollMemory()
  useIntent(fetchCode)
  return (
    <>
      <ErrorBoundary at={pathname}>
        <Suspense>
          <Routes>
            <Route element={<VisitorLayout />}>
              <Route path="/sign-in" element={<SignInScreen />} />
              <Route path="/sign-up" element={<SignUpScreen />} />
            </Route>
            <Route element={<MembersOnly layout={MemberLayout} />}>
              <Route path="/" element={<HomeScreen />} />
              <Route path="/explore" element={<ExploreScreen />} />
              <Route path="/all-users" element={<PeopleScreen />} />
              <Route path="/groups" element={<GroupsScreen />} />
              <Route path="/groups/create" element={<CreateGroupScreen />} />
              <Route path="/groups/:groupId" element={<GroupScreen />} />
              <Route path="/groups/:groupId/requests" element={<RequestsScreen />} />
              <Route path="/update-group/:groupId" element={<EditGroupScreen />} />
              <Route path="/chat/:conversationId?" element={<ChatScreen />} />
              <Route path="/saved" element={<SavedScreen />} />
              <Route path="/create-post" element={<CreatePostScreen />} />
              <Route path="/update-post/:postId" element={<EditPostScreen />} />
              <Route path="/posts/:postId" element={<PostScreen />} />
              <Route path="/profile/:personId/*" element={<ProfileScreen />} />
              <Route path="/update-profile/:personId" element={<EditProfileScreen />} />
              <Route path="*" element={<NotFoundScreen />} />
            </Route>
          </Routes>
        </Suspense>
      </ErrorBoundary>
      <ToastArea lang={pathname in authPages ? 'es' : 'en'} />
    </>
  )
}
