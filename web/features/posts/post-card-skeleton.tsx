import { PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export function PostCardSkeleton() {
  return (
    <div className="card rounded-card-small p-2.5 pb-3.5 md:rounded-card md:p-3.5 md:pb-[18px]">
      <PersonSkeleton className="px-1 pb-3" />
      <Skeleton className="aspect-4/5 w-full rounded-photo" />
      <div className="space-y-2.5 px-2 pt-5 pb-1">
        <Skeleton className="h-3.5 w-11/12" />
        <Skeleton className="h-3.5 w-3/5" />
      </div>
    </div>
  )
}
