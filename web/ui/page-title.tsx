import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useCommunityName } from '#web/navigation/community-identity.ts'

/** The title of this path was focused last. Reloading a part of the page must not focus it again. */
let arrivedAt: string | undefined

type PageTitleProps = {
  title: string
  /** The default is "{title} · {community}". */
  documentTitle?: string
  heading?: string
  hidden?: boolean
  display?: boolean
}

/** The page's only h1. It receives the focus after forward navigation, so screen readers announce the page. */
export function PageTitle({ title, documentTitle, heading = title, hidden, display }: PageTitleProps) {
  const ref = useRef<HTMLHeadingElement>(null)
  const { pathname } = useLocation()
  const navigation = useNavigationType()
  const name = useCommunityName()

  useEffect(() => {
    document.title = documentTitle ?? `${title} · ${name}`
  }, [title, documentTitle, name])

  useEffect(() => {
    if (pathname === arrivedAt) return
    arrivedAt = pathname
    if (navigation !== 'POP') ref.current?.focus({ preventScroll: true })
  }, [pathname, navigation])

  const page = 'heading text-h1-small md:text-h1'
  const large =
    'heading text-[1.9375rem] leading-[2.25rem] tracking-[-0.03em] md:text-display md:leading-[2.75rem]'
  return (
    <h1 ref={ref} tabIndex={-1} className={hidden ? 'sr-only' : display ? large : page}>
      {heading}
    </h1>
  )
}
