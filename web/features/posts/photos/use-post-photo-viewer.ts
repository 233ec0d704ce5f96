import { useLocation, useNavigate } from 'react-router'

/** Links to a photo of the post one is on, large; with the post's own path, from anywhere. @param at its place among them */
export const getPostPhotoLink = (at: number, pathname?: string) => ({
  pathname,
  search: `?photo=${at + 1}`,
})

/** What a photo in a feed tells the page of its post: its place among the photos. */
export type PhotoNavigationState = { photo: number }

/** Says which photo is open over its post. The address has it, so that Back closes it. */
export function usePostPhotoViewer(count: number) {
  const navigate = useNavigate()
  const { key, search, state } = useLocation()
  const at = Number(new URLSearchParams(search).get('photo')) - 1
  const pressed = (state as Partial<PhotoNavigationState> | null)?.photo ?? 0
  return {
    /** The photo that was pressed in a feed; the first of a post that was opened otherwise. */
    pressed: pressed < count ? pressed : 0,
    at: Number.isInteger(at) && at >= 0 && at < count ? at : undefined,
    // The first page in this tab has nothing to go back to.
    close: () => void (key === 'default' ? navigate({ search: '' }, { replace: true }) : navigate(-1)),
  }
}
