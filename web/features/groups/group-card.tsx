import { Lock } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { formatMemberCount } from './format-counts.ts'
import { GroupPicture } from './group-picture.tsx'
import { isGroupMember } from './is-group-member.ts'
import { JoinGroupButton, JoinGroupButtonPlaceholder } from './join-group-button.tsx'

const sizes = '(min-width:1280px) 346px, (min-width:1024px) 30vw, (min-width:768px) 43vw, calc(100vw - 24px)'

export function GroupCard({ group }: { group: Group }) {
  const nameId = useId()
  const head = (
    <>
      <GroupPicture group={group} sizes={sizes} className="aspect-video w-full" />
      <h3
        id={nameId}
        className="heading px-[18px] pt-4 text-[1.125rem] leading-[1.5rem] tracking-[-0.015em] wrap-anywhere"
      >
        {group.name}
      </h3>
    </>
  )
  return (
    <li>
      <article aria-labelledby={nameId} className="card flex h-full flex-col overflow-hidden">
        {isGroupMember(group.membership) ? (
          <Link
            to={screenPaths.group(group.$id)}
            className="focus-visible:rounded-card focus-visible:-outline-offset-2"
          >
            {head}
          </Link>
        ) : (
          head
        )}
        <div className="flex flex-1 flex-col px-[18px] pb-[18px]">
          <p className="mt-1.5 flex flex-wrap items-center gap-1.5 text-meta text-text-2">
            <Lock aria-hidden size={16} strokeWidth={2} className="flex-none" />
            <span>{en('Private Group', 'Grupo privado')}</span>
            <span
              aria-hidden
              className="size-[3px] flex-none rounded-full bg-current opacity-70 forced-colors:bg-[CanvasText]"
            />
            <span className="tabular-nums">{formatMemberCount(group.memberCount)}</span>
          </p>
          {group.description && (
            <p dir="auto" className="mt-2 line-clamp-2 text-label font-normal text-text-2 wrap-anywhere">
              {group.description}
            </p>
          )}
          <div className="mt-auto pt-3.5">
            <JoinGroupButton group={group} describedBy={nameId} />
          </div>
        </div>
      </article>
    </li>
  )
}

export function GroupCardSkeleton() {
  return (
    <div className="card overflow-hidden">
      <Skeleton className="aspect-video w-full rounded-transparent" />
      <div className="space-y-2.5 px-[18px] pt-4 pb-[18px]">
        <Skeleton className="h-5 w-3/5" />
        <Skeleton className="h-3.5 w-4/5" />
        <div className="pt-1">
          <JoinGroupButtonPlaceholder />
        </div>
      </div>
    </div>
  )
}
