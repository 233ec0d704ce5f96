import { useLocation, useNavigate } from 'react-router'

/** Links to a photo of the current post, or of `pathname`'s. @param at its index */
export const getPostPhotoLink = (at: number, pathname?: string) => ({
  pathname,
  search: `?photo=${at + 1}`,
})

/** The photo pressed in a feed, for the post's page. */
export type PhotoNavigationState = { photo: number }

/** The open photo. The URL holds it so that Back closes it. */
export function usePostPhotoViewer(count: number) {
  const navigate = useNavigate()
  const { key, search, state } = useLocation()
  const at = Number(new URLSearchParams(search).get('photo')) - 1
  const pressed = (state as Partial<PhotoNavigationState> | null)?.photo ?? 0
  return {
    /** The photo pressed in a feed, else the first. */
    pressed: pressed < count ? pressed : 0,
    at: Number.isInteger(at) && at >= 0 && at < count ? at : undefined,
    // The tab's first page has nothing to go back to.
    close: () => void (key === 'default' ? navigate({ search: '' }, { replace: true }) : navigate(-1)),
  }
}
