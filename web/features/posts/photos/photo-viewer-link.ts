import { useLocation, useNavigate } from 'react-router'

/** Links to a photo of the post one is on, large; with the post's own path, from anywhere. @param at its place among them */
export const getPhotoViewerLink = (at: number, pathname?: string) => ({
  pathname,
  search: `?photo=${at + 1}`,
})

/** Says which photo is open over its post. The address has it, so that Back closes it. */
export function useOpenPhoto(count: number) {
  const navigate = useNavigate()
  const { key, search } = useLocation()
  const at = Number(new URLSearchParams(search).get('photo')) - 1
  return {
    at: Number.isInteger(at) && at >= 0 && at < count ? at : undefined,
    // The first page in this tab has nothing to go back to.
    close: () => void (key === 'default' ? navigate({ search: '' }, { replace: true }) : navigate(-1)),
  }
}
