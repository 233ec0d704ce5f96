import { useLocation, useNavigate } from 'react-router'

/** Returns the link to a photo of the current post, or of the post at `pathname`. @param at the photo's index */
export const getPostPhotoLink = (at: number, pathname?: string) => ({
  pathname,
  search: `?photo=${at + 1}`,
})

/** The index of the photo that the member pressed in a feed. */
export type PhotoNavigationState = { photo: number }

/** Tells which photo is open. The URL contains its number, so that Back closes the viewer. */
export function usePostPhotoViewer(count: number) {
  const navigate = useNavigate()
  const { key, search, state } = useLocation()
  const at = Number(new URLSearchParams(search).get('photo')) - 1
  const pressed = (state as Partial<PhotoNavigationState> | null)?.photo ?? 0
  return {
    /** The photo that the member pressed in a feed, or the first photo. */
    pressed: pressed < count ? pressed : 0,
    at: Number.isInteger(at) && at >= 0 && at < count ? at : undefined,
    // If this page is the first in its tab, there is no page to go back to.
    close: () => void (key === 'default' ? navigate({ search: '' }, { replace: true }) : navigate(-1)),
  }
}
