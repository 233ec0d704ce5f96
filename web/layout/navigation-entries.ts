/** Lists the entries of the sidebar and the bottom bar, and tells which of them is the current page's. */
import {
  Bookmark,
  Compass,
  Flower2,
  House,
  ImagePlus,
  type LucideIcon,
  MessageCircle,
  UsersRound,
} from 'lucide-react'
import type { CreatePostNavigationState } from '#web/features/posts/form/post-form-navigation-state.ts'
import { screenPaths, screenRoutes } from '#web/paths.ts'

export type NavigationEntry = {
  to: string
  label: string
  icon: LucideIcon
  shortLabel?: string
  /** The pattern of a page that belongs to this entry without its address beginning with the entry's. */
  also?: string
}

/** The seven entries, the same in the sidebar and the bottom bar but for one word. */
export const navigationEntries: readonly NavigationEntry[] = [
  { to: screenPaths.home(), label: 'Home', icon: House },
  { to: screenPaths.explore(), label: 'Explore', icon: Compass },
  { to: screenPaths.people(), label: 'People', icon: UsersRound, also: screenRoutes.followRequests.path },
  { to: screenPaths.groups(), label: 'Groups', icon: Flower2, also: screenRoutes.updateGroup.path },
  { to: screenPaths.chat(), label: 'Chat', icon: MessageCircle, also: screenRoutes.messageRequests.path },
  { to: screenPaths.saved(), label: 'Saved', icon: Bookmark },
  { to: screenPaths.createPost(), label: 'Create Post', shortLabel: 'Create', icon: ImagePlus },
]

/** Returns `aria-current` of an entry: set on its own page and all below it. */
export function ariaCurrentOf(pathname: string, { to, also }: NavigationEntry): 'page' | undefined {
  const first = firstSegment(pathname)
  return first === firstSegment(to) || (also && first === firstSegment(also)) ? 'page' : undefined
}

/** Returns what the link of an entry leaves in the history: the form of a new post learns where it was opened. */
export const getNavigationLinkState = (
  { to }: NavigationEntry,
  pathname: string,
): CreatePostNavigationState | undefined => (to === screenPaths.createPost() ? { from: pathname } : undefined)

const firstSegment = (path: string) => path.split('/')[1]
