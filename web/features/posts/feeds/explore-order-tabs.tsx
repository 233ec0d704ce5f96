import type { KeyboardEvent, ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { en } from '#contract/language.ts'
import { cx } from '#web/ui/cx.ts'
import type { ExploreOrder } from './use-explore-order.ts'

const labels: Record<ExploreOrder, string> = {
  recent: en('Recent', 'Recientes'),
  loved: en('Loved this week', 'Lo más querido de la semana'),
}
const tabId = (order: ExploreOrder) => `explore-${order}`
const panelId = 'explore-posts'

type Props = {
  order: ExploreOrder
  offersLoved: boolean
}

/** The URL contains the order, so Back restores it. */
export function ExploreOrderTabs({ order, offersLoved }: Props) {
  const navigate = useNavigate()
  const tabs: readonly ExploreOrder[] = offersLoved ? ['recent', 'loved'] : ['recent']
  const choose = (chosen: ExploreOrder) =>
    void navigate({ search: chosen === 'loved' ? '?order=loved' : '' }, { replace: true })

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const next = step && tabs[(tabs.indexOf(order) + step + tabs.length) % tabs.length]
    if (!next) return
    event.preventDefault()
    choose(next)
    document.getElementById(tabId(next))?.focus()
  }

  return (
    <div
      role="tablist"
      aria-label={en('Order', 'Orden')}
      onKeyDown={onKeyDown}
      className="mx-1 mb-3.5 flex flex-wrap border-b border-border md:mx-0 md:mb-5"
    >
      {tabs.map((name) => (
        <button
          key={name}
          id={tabId(name)}
          type="button"
          role="tab"
          aria-selected={name === order}
          aria-controls={panelId}
          tabIndex={name === order ? 0 : -1}
          onClick={() => choose(name)}
          className={cx(
            'flex min-h-11 max-w-full flex-none items-center border-b-[3px] px-4 text-label font-semibold',
            name === order
              ? 'border-brand text-brand-text'
              : 'border-transparent text-text-2 hover:text-text',
          )}
        >
          {labels[name]}
        </button>
      ))}
    </div>
  )
}

/** During a search, the element is not a tab panel. */
export const ExploreOrderTabPanel = ({
  order,
  hidden,
  children,
}: {
  order: ExploreOrder
  hidden: boolean
  children: ReactNode
}) => (
  <div {...(!hidden && { role: 'tabpanel', id: panelId, 'aria-labelledby': tabId(order) })}>{children}</div>
)
