/** Every screen and the address it has (spec §2). */
import { Suspense } from 'react'
import { Route, Routes, useLocation } from 'react-router'
import { askAhead } from './ahead.ts'
import { checkSession } from './features/account/session.ts'
import { ErrorBoundary, NotFoundScreen } from './layout/error-page.tsx'
import { MembersOnly } from './layout/members-only.tsx'
import { useIntent } from './layout/on-intent.ts'
import { type Part, part } from './layout/part.tsx'
import { useScrollMemory } from './layout/scroll-memory.ts'
import { VisitorLayout } from './layout/visitor-layout.tsx'
import { paths } from './paths.ts'
import { ToastArea } from './ui/toast-area.tsx'

const MemberLayout = part(() => import('./layout/member-layout.tsx'), 'MemberLayout')
const HomeScreen = part(() => import('./features/posts/home-screen.tsx'), 'HomeScreen')
const ChatScreen = part(() => import('./features/chat/chat-screen.tsx'), 'ChatScreen')
const ExploreScreen = part(() => import('./features/posts/explore-screen.tsx'), 'ExploreScreen')
const SavedScreen = part(() => import('./features/posts/saved-screen.tsx'), 'SavedScreen')
const PostScreen = part(() => import('./features/posts/post-screen.tsx'), 'PostScreen')
const EditPostScreen = part(() => import('./features/posts/edit-post-screen.tsx'), 'EditPostScreen')
const CreatePostScreen = part(() => import('./features/posts/create-post-screen.tsx'), 'CreatePostScreen')
const GroupsScreen = part(() => import('./features/groups/groups-screen.tsx'), 'GroupsScreen')
const CreateGroupScreen = part(() => import('./features/groups/create-group-screen.tsx'), 'CreateGroupScreen')
const GroupScreen = part(() => import('./features/groups/group-screen.tsx'), 'GroupScreen')
const RequestsScreen = part(() => import('./features/groups/requests-screen.tsx'), 'RequestsScreen')
const EditGroupScreen = part(() => import('./features/groups/edit-group-screen.tsx'), 'EditGroupScreen')
const PeopleScreen = part(() => import('./features/people/people-screen.tsx'), 'PeopleScreen')
const ProfileScreen = part(() => import('./features/people/profile-screen.tsx'), 'ProfileScreen')
const EditProfileScreen = part(() => import('./features/people/edit-profile-screen.tsx'), 'EditProfileScreen')
const SignInScreen = part(() => import('./features/account/sign-in-screen.tsx'), 'SignInScreen')
const SignUpScreen = part(() => import('./features/account/sign-up-screen.tsx'), 'SignUpScreen')

const authPages: Partial<Record<string, Part>> = {
  [paths.signIn()]: SignInScreen,
  [paths.signUp()]: SignUpScreen,
}

/** What stands behind an address, the longer of two beginnings first. */
const screenBehind: readonly [beginning: string, screen: Part][] = [
  ['/explore', ExploreScreen],
  ['/saved', SavedScreen],
  ['/posts/', PostScreen],
  ['/create-post', CreatePostScreen],
  ['/update-post/', EditPostScreen],
  ['/all-users', PeopleScreen],
  ['/profile/', ProfileScreen],
  ['/update-profile/', EditProfileScreen],
  ['/groups/create', CreateGroupScreen],
  ['/groups/', GroupScreen],
  ['/groups', GroupsScreen],
  ['/chat', ChatScreen],
]

const screenAt = (pathname: string): Part =>
  screenBehind.find(([beginning]) => pathname.startsWith(beginning))?.[1] ?? HomeScreen

function loadScreen(pathname: string): void {
  screenAt(pathname)
    .load()
    .catch(() => {})
}

/**
 * Asks for everything the first page needs at once: who she is, the page's code and its contents.
 * @returns when all is there, or does not come; then what is missing says so itself
 */
export async function preload(pathname: string): Promise<void> {
  const session = checkSession()
  const authPage = authPages[pathname]
  const needed = authPage
    ? [authPage.load()]
    : [session, askAhead(pathname), MemberLayout.load(), screenAt(pathname).load()]
  await Promise.allSettled(needed)
}

export function App() {
  const { pathname } = useLocation()
  useScrollMemory()
  useIntent(loadScreen)
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
