// A link from the top of a page to its actions, shown where columns are stacked.
export const ToActions = () => (
  <p class="to-actions">
    <a class="button second small" href="#actions">
      Go to actions
    </a>
  </p>
)
