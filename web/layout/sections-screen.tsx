/** The list of sections beside the current one. A phone shows only one of the two. */
import { ArrowLeft, ChevronRight, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, matchPath } from 'react-router'
import type { LazyScreenComponent } from '#web/navigation/lazy-screen.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { NotFoundScreen } from './error-page.tsx'

type SectionPage = {
  /** The path below the screen's path. It may contain parameters such as `:memberId`. */
  path: string
  title: string
  screen: LazyScreenComponent
}

export type ScreenSection = {
  path: string
  label: string
  icon: LucideIcon
  screen: LazyScreenComponent
  pages?: readonly SectionPage[]
}

export type SectionLink = { to: string; label: string; icon: LucideIcon }

type Props = {
  title: string
  sections: readonly ScreenSection[]
  links?: readonly SectionLink[]
  /** The path below the screen's own path. */
  path: string
  /** Without `path`, returns the link to the screen itself. */
  pathOf: (path?: string) => string
  noteOf?: (path: string) => ReactNode
  children: ReactNode
}

type Found = { section: ScreenSection; page?: SectionPage }

function findSection(sections: readonly ScreenSection[], path: string): Found | undefined {
  for (const section of sections) {
    if (section.path === path) return { section }
    const page = section.pages?.find((page) => matchPath(`/${page.path}`, `/${path}`))
    if (page) return { section, page }
  }
  return undefined
}

const contentClassName = 'max-md:order-1 md:col-start-2 md:row-span-2 md:row-start-1'

export function SectionsScreen({ children, ...props }: Props) {
  const { title, sections, path, pathOf } = props
  const found = findSection(sections, path)
  if (path !== '' && !found) return <NotFoundScreen />
  return (
    <div className="mx-auto flex max-w-[60.75rem] flex-col md:grid md:grid-cols-[min(13.75rem,30vw)_minmax(0,1fr)] md:grid-rows-[auto_1fr] md:gap-x-7 xl:grid-cols-[min(16.5rem,22vw)_minmax(0,40rem)] xl:gap-x-14">
      {found ? (
        <>
          <p className="heading mb-4.5 ml-3 text-h1 max-md:hidden">{title}</p>
          <SectionNavigation {...props} here={found.section.path} />
          <FoundSection {...found} title={title} pathOf={pathOf} />
        </>
      ) : (
        <>
          <div className="mx-1 mb-3.5 md:mr-0 md:mb-4.5 md:ml-3">
            <PageTitle title={title} />
          </div>
          <SectionNavigation {...props} />
          <div className={contentClassName}>{children}</div>
        </>
      )}
    </div>
  )
}

function FoundSection({ section, page, title, pathOf }: Found & Pick<Props, 'title' | 'pathOf'>) {
  const parent = page ? { to: pathOf(section.path), label: section.label } : { to: pathOf(), label: title }
  const Screen = (page ?? section).screen
  return (
    <div className={contentClassName}>
      <ParentLink {...parent} isShown={page?.path.includes(':')} />
      <div className="mx-1 mb-3.5 md:mx-0">
        <PageTitle title={page?.title ?? section.label} />
      </div>
      <Screen />
    </div>
  )
}

const rowClassName =
  'flex min-h-[58px] items-center gap-3 rounded-input px-3 font-[620] hover:bg-sunken aria-[current=page]:bg-brand-soft aria-[current=page]:font-[680] aria-[current=page]:text-brand-text md:min-h-12 md:text-text-2 md:hover:text-text'

/** @param props.here undefined on the screen's own path */
function SectionNavigation({
  title,
  sections,
  links = [],
  pathOf,
  noteOf,
  here,
}: Omit<Props, 'children' | 'path'> & { here?: string }) {
  const rows = [
    ...sections.map(({ path, label, icon }) => ({
      to: pathOf(path),
      label,
      icon,
      note: noteOf?.(path),
      isCurrent: path === here,
    })),
    ...links.map((link) => ({ ...link, note: undefined, isCurrent: false })),
  ]
  return (
    <nav aria-label={title} className={cx('max-md:order-2', here !== undefined && 'max-md:hidden')}>
      <ul className="max-md:card max-md:divide-y max-md:divide-border max-md:px-2 max-md:py-1 md:flex md:flex-col md:gap-0.5">
        {rows.map(({ to, label, icon: Icon, note, isCurrent }) => (
          <li key={to}>
            <Link to={to} aria-current={isCurrent ? 'page' : undefined} className={rowClassName}>
              <Icon aria-hidden size={22} strokeWidth={1.9} className="flex-none" />
              <span className="min-w-0 flex-1">{label}</span>
              {note}
              <ChevronRight
                aria-hidden
                size={18}
                strokeWidth={2}
                className="flex-none text-text-3 md:hidden"
              />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/**
 * Wider screens show the list of sections instead.
 * @param props.isShown also on wider screens, for a section with many such pages
 */
function ParentLink({ to, label, isShown }: { to: string; label: string; isShown?: boolean }) {
  return (
    <ButtonLink to={to} kind="ghost" className={cx('-ml-3 self-start pl-3', !isShown && 'md:hidden')}>
      <ArrowLeft aria-hidden size={20} strokeWidth={1.9} />
      {label}
    </ButtonLink>
  )
}
