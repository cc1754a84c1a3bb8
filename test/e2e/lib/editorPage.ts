import type { Browser, BrowserContext, Locator, Page, Response } from 'playwright-core';

import { openWindow, type BrowserOptions } from './browser';
import { OWNER } from './client';
import { until } from './processes';

/** n8n's editor in a browser, used as a person uses it. */
export class EditorPage {
	private constructor(
		readonly page: Page,
		private readonly window: BrowserContext,
		private readonly url: string,
	) {}

	/** Signs in. */
	static async open(browser: Browser, url: string, options?: BrowserOptions): Promise<EditorPage> {
		const window = await openWindow(browser, options);
		const page = await window.newPage();
		await page.goto(`${url}/signin`);
		await page.locator('input[name=emailOrLdapLoginId]').fill(OWNER.email);
		await page.locator('input[name=password]').fill(OWNER.password);
		await page.getByTestId('form-submit-button').click();
		await page.waitForURL(/home|workflow/);
		return new EditorPage(page, window, url);
	}

	async close(): Promise<void> {
		await this.window.close();
	}

	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').waitFor();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Types into the search of the panel of nodes; the panel has to be open. */
	async searchNodes(text: string): Promise<Locator> {
		await this.page.getByTestId('node-creator-search-bar').fill(text);
		return this.page.getByTestId('item-iterator-item');
	}

	/** Opens the panel of nodes on an empty canvas. */
	async openNodeCreator(): Promise<void> {
		await this.page.getByTestId('canvas-plus-button').click();
		await this.page.getByTestId('node-creator-search-bar').waitFor();
	}

	/** Shows the actions of the node, starting from an empty canvas. */
	async showActions(): Promise<Locator> {
		await this.openNodeCreator();
		const found = await this.searchNodes('cometchat');
		await found.filter({ hasText: 'CometChat' }).first().click();
		// An empty canvas wants a trigger first, so n8n folds the actions up
		await this.page.getByText(/^Actions \(\d+\)$/).click();
		const actions = this.page.getByTestId('item-iterator-item');
		await actions.filter({ hasText: 'Get message' }).waitFor();
		return actions;
	}

	/** Puts an action of the node on the canvas, as one finds it; its panel opens. */
	async addAction(action: string): Promise<void> {
		const actions = await this.showActions();
		await actions.filter({ has: this.page.getByText(action, { exact: true }) }).click();
		await this.ndv.waitFor();
	}

	/** Opens the panel of a node of the canvas. */
	async openNode(name: string): Promise<void> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await this.ndv.waitFor();
	}

	/** Id of the open workflow. */
	get workflowId(): string {
		return /workflow\/([^/?]+)/.exec(this.page.url())?.[1] ?? '';
	}

	/** The panel of the open node. */
	get ndv(): Locator {
		return this.page.getByTestId('ndv');
	}

	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	/** A field of the open node by its name. */
	field(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`);
	}

	async fill(name: string, value: string): Promise<void> {
		const input = this.field(name).locator('input, textarea').first();
		await input.fill(value);
		await input.blur();
	}

	/** Picks an entry of the drop-down list that is open. */
	async pick(entry: string): Promise<void> {
		await this.page
			.locator('.el-select-dropdown__item:visible')
			.filter({ has: this.page.getByText(entry, { exact: true }) })
			.first()
			.click();
	}

	/** Picks an entry of a field that is a drop-down list, unless it is picked already. */
	async choose(name: string, entry: string): Promise<void> {
		const input = this.field(name).locator('input').first();
		if ((await input.inputValue()) === entry) return;
		await input.click();
		await this.pick(entry);
	}

	/** Picks the operation of the open node. */
	async chooseOperation(resource: string, operation: string): Promise<void> {
		await this.choose('resource', resource);
		await this.choose('operation', operation);
	}

	/** Opens the menu of a collection by the text of its button, e.g. "Add Filter". */
	async openMenu(button: string): Promise<Locator> {
		await this.ndv
			.getByTestId('collection-parameter-add')
			.filter({ has: this.page.locator(`input[placeholder="${button}"]`) })
			.locator('input')
			.click();
		const entries = this.page.locator('.el-select-dropdown__item:visible');
		await entries.first().waitFor();
		return entries;
	}

	/** Adds an entry to a collection by the text of its button. */
	async addTo(button: string, entry: string): Promise<void> {
		await this.openMenu(button);
		await this.pick(entry);
	}

	/** Shows the parameters of the open node, or its settings. */
	async openTab(name: 'params' | 'settings'): Promise<void> {
		await this.ndv.getByTestId(`tab-${name}`).click();
	}

	/** Does something with the settings of the open node, and comes back to its parameters. */
	async inSettings(steps: () => Promise<void>): Promise<void> {
		await this.openTab('settings');
		await steps();
		await this.openTab('params');
	}

	/** Labels of the fields that the open node shows, from top to bottom. */
	async labels(): Promise<string[]> {
		const texts = await this.ndv
			.getByTestId('node-parameters')
			.getByTestId('input-label')
			.filter({ visible: true })
			.allInnerTexts();
		return texts.map((text) => text.split('\n')[0].trim()).filter((text) => text !== '');
	}

	/** A field that names a group or a user: from a list, or by its ID. */
	locator(name: string): Locator {
		return this.page.getByTestId(`resource-locator-${name}`);
	}

	/** Whether such a field is set from a list or by ID, as the editor shows it. */
	async mode(name: string): Promise<string> {
		return await this.locator(name).getByTestId('rlc-mode-selector').locator('input').inputValue();
	}

	private async chooseMode(name: string, mode: 'From list' | 'By ID'): Promise<void> {
		if ((await this.mode(name)) === mode) return;
		await this.locator(name).getByTestId('rlc-mode-selector').locator('input').click();
		await this.pick(mode);
	}

	/** Enters an ID into such a field; an empty text clears it. */
	async fillId(name: string, id: string): Promise<void> {
		await this.chooseMode(name, 'By ID');
		const input = this.locator(name).getByTestId('rlc-input');
		await input.fill(id);
		await input.blur();
	}

	/** Opens the list of such a field, which may be that of a fault; its entries are returned. */
	async openList(name: string): Promise<Locator> {
		await this.chooseMode(name, 'From list');
		await this.locator(name).getByTestId('rlc-input').click();
		await this.page
			.locator('[data-test-id="rlc-item"]:visible, [data-test-id="rlc-error-container"]:visible')
			.first()
			.waitFor();
		return this.page.getByTestId('rlc-item').filter({ visible: true });
	}

	/** Searches the list that is open, and waits until it holds an entry. */
	async searchList(text: string, entry: string): Promise<Locator> {
		await this.page.getByTestId('rlc-search').fill(text);
		const entries = this.page.getByTestId('rlc-item').filter({ visible: true });
		await entries
			.filter({ hasNotText: new RegExp(text, 'i') })
			.first()
			.waitFor({ state: 'detached' });
		await entries.filter({ hasText: entry }).waitFor();
		return entries;
	}

	/** Searches the list of such a field and picks an entry, e.g. "Lantern Makers (makers)". */
	async pickFromList(name: string, text: string, entry: string): Promise<void> {
		await this.openList(name);
		const entries = await this.searchList(text, entry);
		await entries.filter({ hasText: entry }).click();
	}

	/** Adds a row to a field of several values by the text of its button, and fills it in. */
	async addValue(button: string, placeholder: string, value: string): Promise<void> {
		await this.ndv.getByRole('button', { name: button }).click();
		const input = this.ndv.getByPlaceholder(placeholder, { exact: true }).last();
		await input.fill(value);
		await input.blur();
	}

	/** Writes into a field with an editor of its own: JSON or an expression. */
	async write(name: string, text: string): Promise<void> {
		const editor = this.field(name).locator('.cm-content');
		await editor.fill(text);
		await editor.blur();
	}

	/** Waits for the end of an execution by the response to its start. */
	private async ended(response: Response): Promise<void> {
		if (!response.ok()) throw new Error(`n8n did not start: ${await response.text()}`);
		const { data } = (await response.json()) as { data: { executionId: string } };
		// n8n ties a session to the browser that opened it
		const headers = { 'browser-id': response.request().headers()['browser-id'] };
		await until('The end of the execution', async () => {
			const path = `${this.url}/rest/executions/${data.executionId}`;
			const answer = await this.page.request.get(path, { headers });
			const execution = (await answer.json()) as { data?: { stoppedAt?: string } };
			return execution.data?.stoppedAt ? true : undefined;
		});
	}

	/** Runs the open node and waits for what comes out. */
	async execute(): Promise<void> {
		const started = this.page.waitForResponse((response) =>
			/\/rest\/workflows\/[^/]+\/run/.test(response.url()),
		);
		await this.page.getByTestId('node-execute-button').click();
		await this.ended(await started); // what an earlier run gave has gone when one starts
		await this.output
			.locator(
				'[data-test-id="ndv-items-count"], [data-test-id="node-error-message"], [data-test-id="ndv-data-container"]',
			)
			.first()
			.waitFor();
	}

	/** The table of the output panel: its columns, and the texts of its rows. */
	async table(): Promise<{ columns: string[]; rows: string[][] }> {
		const table = this.output.locator('table');
		await table.locator('tbody tr').first().waitFor();
		const columns = (await table.locator('thead th').allInnerTexts()).filter(Boolean);
		const rows: string[][] = [];
		for (const row of await table.locator('tbody tr').all()) {
			const cells = await row.locator('td').allInnerTexts();
			rows.push(cells.slice(0, columns.length).map((cell) => cell.trim()));
		}
		return { columns, rows };
	}

	/** Picks a saved credential for the open node. */
	async chooseCredential(name: string): Promise<void> {
		await this.page.getByTestId('node-credentials-select').first().click();
		await this.page
			.locator('.el-select-dropdown__item:visible')
			.filter({ has: this.page.getByText(name, { exact: true }) })
			.click();
	}

	async closeNode(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.ndv.waitFor({ state: 'hidden' });
	}
}
