import framegate.ApiClient;
import framegate.api.AssetsApi;
import framegate.api.CreditsApi;
import framegate.api.ModelsApi;
import framegate.api.OperationApi;
import framegate.api.TasksApi;
import framegate.model.AccountCreate;
import framegate.model.AssetImport;
import framegate.model.Grant;
import framegate.model.ImgA50;
import framegate.model.KeyCreate;
import framegate.model.SubmitRequest;
import framegate.model.Task;
import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A program that uses the client that openapi-generator has generated. */
public final class Scenario {
  public static void main(String[] arguments) throws Exception {
    var name = System.getenv("FRAMEGATE_ACCOUNT_NAME");
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("FRAMEGATE_URL"));
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + System.getenv("FRAMEGATE_API_KEY")));

    var models = new ModelsApi(client).listModels(5L, null, null);
    check("the page of models", models.getItems().size() == 5 && models.getHasMore());
    var tasks = new TasksApi(client);
    var body = new SubmitRequest(new ImgA50().model(ImgA50.ModelEnum.IMG_A_5_0).prompt("a paper boat on a lake"));
    var quote = tasks.quoteTask(body);
    check("the quote", quote.getAvailable() && quote.getAmount() > 0);

    var ids = new ArrayList<String>();
    for (var order : List.of("one", "two")) {
      var submitted = tasks.submitTask(body, name + "-" + order);
      check("the price", submitted.getAmount().equals(quote.getAmount()));
      ids.add(0, submitted.getId());
    }
    for (var id : ids) {
      var task = tasks.getTask(id, 60L, null, null);
      check("the completed task", task.getStatus() == Task.StatusEnum.COMPLETED && task.getResultUrl() != null);
    }
    var first = tasks.listTasks(1L, null, null, null, null, null, null, null, null);
    var second = tasks.listTasks(1L, first.getNextCursor(), null, null, null, null, null, null, null);
    check("the pages", first.getItems().get(0).getId().equals(ids.get(0)) && second.getItems().get(0).getId().equals(ids.get(1)));

    var image = new File(System.getenv("FRAMEGATE_IMAGE"));
    var assets = new AssetsApi(client);
    var asset = assets.createAsset(image, null);
    var uri = "data:image/png;base64," + Base64.getEncoder().encodeToString(Files.readAllBytes(image.toPath()));
    var imported = assets.importAsset(new AssetImport().url(uri));
    check("the asset", imported.getId().equals(asset.getId()) && asset.getContentType().getValue().equals("image/png"));
    check("the balance", new CreditsApi(client).getCredits().getBalance() > 0);

    var operation = new OperationApi(client);
    var account = operation.createAccount(new AccountCreate().name(name));
    var scopes = List.of(KeyCreate.ScopesEnum.TASKS_READ);
    var key = operation.createKey(account.getId(), new KeyCreate().scopes(scopes));
    var granted = operation.grantCredits(account.getId(), new Grant().amount(2.5), null);
    check("the key", key.getKey().startsWith("fg_live_") && key.getScopes().size() == 1);
    check("the grant", granted.getBalance() == 2.5);
  }

  private static void check(String what, boolean isRight) {
    if (!isRight) {
      throw new IllegalStateException(what + " is not as expected");
    }
  }
}
