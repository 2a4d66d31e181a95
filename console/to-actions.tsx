// Where one column is below the other, a link from the top of a page to what can be done there.
export const ToActions = () => (
  <p class="to-actions">
    <a class="button second small" href="#actions">
      Go to actions
    </a>
  </p>
)
