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
import { en } from '#contract/language.ts'
import { screenRoutes } from '#contract/screen-routes.ts'
import type { CreatePostNavigationState } from '#web/features/posts/form/post-form-navigation-state.ts'
import { screenPaths } from '#web/paths.ts'

export type NavigationEntry = {
  to: string
  label: string
  icon: LucideIcon
  shortLabel?: string
  also?: readonly string[]
}

export const navigationEntries: readonly NavigationEntry[] = [
  { to: screenPaths.home(), label: en('Home', 'Inicio'), icon: House },
  {
    to: screenPaths.explore(),
    label: en('Explore', 'Explorar'),
    icon: Compass,
    also: [screenRoutes.tag.path, screenRoutes.place.path],
  },
  {
    to: screenPaths.people(),
    label: en('People', 'Personas'),
    icon: UsersRound,
    also: [screenRoutes.followRequests.path],
  },
  {
    to: screenPaths.groups(),
    label: en('Groups', 'Grupos'),
    icon: Flower2,
    also: [screenRoutes.updateGroup.path],
  },
  {
    to: screenPaths.chat(),
    label: en('Chat', 'Chat'),
    icon: MessageCircle,
    also: [screenRoutes.messageRequests.path],
  },
  { to: screenPaths.saved(), label: en('Saved', 'Guardado'), icon: Bookmark },
  {
    to: screenPaths.createPost(),
    label: en('Create Post', 'Crear publicación'),
    shortLabel: en('Create', 'Crear'),
    icon: ImagePlus,
  },
]

/** Pages below the entry's page also set it. */
export function ariaCurrentOf(pathname: string, { to, also = [] }: NavigationEntry): 'page' | undefined {
  return [to, ...also].some((path) => firstSegment(path) === firstSegment(pathname)) ? 'page' : undefined
}

/** Tells the post form from which page it was opened. */
export const getNavigationLinkState = (
  { to }: NavigationEntry,
  pathname: string,
): CreatePostNavigationState | undefined => (to === screenPaths.createPost() ? { from: pathname } : undefined)

const firstSegment = (path: string) => path.split('/')[1]
